const SIMPLE: Record<string, string> = {
  ...{ a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"', '?': '?' },
};

const ESCAPE =
  /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c([\s\S])|([\s\S]))/gu;

/** The text of `$'…'`, without its quotes. It ends at the first NUL, as the shell's does. */
export function decodeAnsiC(inner: string): string {
  const text = inner.replace(ESCAPE, (whole, octal, hex, short, long, control, other: string | undefined) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    const code = hex ?? short ?? long;
    if (code !== undefined) return codePoint(Number.parseInt(code, 16));
    if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
    return SIMPLE[other ?? ''] ?? whole;
  });
  return text.split('\0', 1)[0] ?? '';
}

const codePoint = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
