const isApple = () => /Mac|iP(ad|hone|od)/.test(globalThis.navigator?.platform ?? '');

const APPLE: Record<string, string> = { $mod: '⌘', Meta: '⌘', Shift: '⇧', Alt: '⌥', Control: '⌃' };
const OTHER: Record<string, string> = { $mod: 'Ctrl', Control: 'Ctrl' };
const NAMES: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Enter: '↵',
  ' ': 'Space',
  Space: 'Space',
};

/** What stands on the keys: `g i` is `[['G'], ['I']]`, `$mod+k` is `[['Ctrl', 'K']]`, or with ⌘ on Apple's keyboards. */
export function keyCaps(keys: string, apple = isApple()): string[][] {
  return keys
    .trim()
    .split(' ')
    .map((press) =>
      press
        .split(/(?<=[\w\]])\+/)
        .filter((part) => !/^\[.+\]$/.test(part))
        .map((part) => capOf(part, apple)),
    );
}

function capOf(part: string, apple: boolean): string {
  const named = (apple ? APPLE : OTHER)[part] ?? NAMES[part];
  if (named) return named;
  return part.length === 1 ? part.toUpperCase() : part.replace(/^(Key|Digit)(?=.$)/, '');
}
