import { Cursor } from './cursor.ts';
import { parseCommand } from './parse-compound.ts';
import { parseList } from './parse-list.ts';
import type { Scan } from './scan.ts';
import { scanBackquotes, scanHeredocText, wholeScript } from './scan-copy.ts';
import { scanDollar, scanDouble } from './scan-dollar.ts';
import { scanHeredocBodies } from './scan-heredoc.ts';
import { scanWord } from './scan-word.ts';
import type { Statement } from './statement.ts';
import { Unreadable } from './unreadable.ts';
import type { Work } from './work.ts';

export interface ShellText {
  body: Statement;
  /** Offsets at which a command may begin, so that another reader can be held against this one. */
  starts: ReadonlySet<number>;
  /** Stretches whose commands have no offset, since a copy of them was read. */
  copied: readonly (readonly [from: number, to: number])[];
}

/**
 * Reads a shell text as bash does. Throws Unreadable where it is wrong, where bash's reading depends on what is not in the
 * text, or where it is more than `work` allows; with `posix` also where other shells read it otherwise than bash.
 */
export function parseShell(source: string, work: Work, posix = false): ShellText {
  const scan = createScan(source, work, posix);
  const body = wholeScript(scan);
  return { body, starts: scan.starts, copied: scan.copied };
}

function createScan(source: string, work: Work, posix: boolean): Scan {
  const copyOf = (text: string): Scan => {
    work.count('copies');
    return createScan(text, work, posix);
  };
  const scan: Scan = {
    ...{ cursor: new Cursor(source, work), pending: [], waiting: false, substitutions: 0 },
    ...{ starts: new Set(), copied: [], posix },
    script: () => work.within('depth', () => parseScript(scan)),
    command: () => parseCommand(scan),
    word: (mode) => scanWord(scan, mode),
    dollar: (quoted) => scanDollar(scan, quoted),
    double: () => scanDouble(scan),
    backquotes: (quoted) => scanBackquotes(scan, quoted, copyOf),
    heredocs: () => scanHeredocBodies(scan, scan.substitutions > 1, (body) => scanHeredocText(body, copyOf)),
  };
  return scan;
}

/** A script has its own here-documents; those announced around it wait until it is over. */
function parseScript(scan: Scan): Statement {
  const { pending, waiting, substitutions } = scan;
  Object.assign(scan, {
    pending: [],
    waiting: waiting || pending.length > 0,
    substitutions: substitutions + 1,
  });
  const body = parseList(scan);
  if (scan.pending.length > 0) throw new Unreadable('A here-document has no body.');
  Object.assign(scan, { pending, waiting, substitutions });
  return body;
}
