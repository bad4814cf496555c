import { cutTo } from './plain-text.ts';

export interface LiveStream {
  write(text: string): unknown;
  columns?: number | undefined;
  rows?: number | undefined;
}

/** Some lines at the foot of a terminal that are painted over as they change, and plain lines above them. */
export interface LiveRegion {
  /** Prints a line that stays. */
  line(text: string): void;
  /** Replaces the region; lines too wide are cut, lines too many leave out the middle. */
  show(text: string): void;
  /** Takes the region away, as before a prompt or at the end. */
  clear(): void;
}

export function createLiveRegion(stream: LiveStream): LiveRegion {
  let shown: string[] = [];
  const erase = () => (shown.length === 0 ? '' : `\u001b[${shown.length}A\u001b[0J`);
  const paint = (lines: string[], before = '') => {
    stream.write(`${erase()}${before}${lines.map((line) => `${line}\n`).join('')}`);
    shown = lines;
  };
  return {
    line: (text) => paint(shown, `${text}\n`),
    show(text) {
      const lines = text === '' ? [] : fit(text.split('\n'), stream.columns ?? 80, (stream.rows ?? 24) - 2);
      if (lines.join('\n') !== shown.join('\n')) paint(lines);
    },
    clear: () => paint([]),
  };
}

/** On what is no terminal nothing is painted over: lines are printed, the region is not shown. */
export function createPlainRegion(stream: LiveStream): LiveRegion {
  return { line: (text) => void stream.write(`${text}\n`), show() {}, clear() {} };
}

function fit(lines: string[], columns: number, rows: number): string[] {
  const cut = lines.map((line) =>
    Bun.stringWidth(line) < columns ? line : cutTo(Bun.stripANSI(line), columns - 1),
  );
  if (cut.length <= rows) return cut;
  const head = Math.max(1, Math.floor(rows / 2));
  const tail = Math.max(0, rows - head - 1);
  const hidden = cut.length - head - tail;
  return [...cut.slice(0, head), `… ${hidden} more …`, ...(tail > 0 ? cut.slice(-tail) : [])];
}
