const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const WIDTH = 6;

/** A patch whose lines carry their numbers on both sides: before the change, then now; as an anchor needs them. */
export function numberedPatch(patch: string): string[] {
  let [left, right] = [0, 0];
  return patch.split('\n').map((line) => {
    const head = HEAD.exec(line);
    if (head) {
      // A side without a line is numbered by the line before it.
      left = Number(head[1]) + (head[2] === '0' ? 1 : 0);
      right = Number(head[3]) + (head[4] === '0' ? 1 : 0);
      return line;
    }
    if (line.startsWith('\\')) return `${' '.repeat(2 * WIDTH)}   ${line}`;
    const before = line.startsWith('+') ? '' : String(left++);
    const now = line.startsWith('-') ? '' : String(right++);
    return `${before.padStart(WIDTH)} ${now.padStart(WIDTH)}  ${line}`;
  });
}
