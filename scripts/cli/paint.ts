/** Colours text, or leaves it as it is. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

function ansi(open: number, close: number) {
  return (text: string) => (text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`);
}

const same = (text: string) => text;

export const noPaint: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

const ansiPaint: Paint = {
  bold: ansi(1, 22),
  dim: ansi(2, 22),
  red: ansi(31, 39),
  green: ansi(32, 39),
  yellow: ansi(33, 39),
  cyan: ansi(36, 39),
};

/** Colour only on a terminal and with NO_COLOR unset (or empty, as no-color.org has it). */
export function paintFor(isTerminal: boolean, env: Record<string, string | undefined>): Paint {
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' ? ansiPaint : noPaint;
}
