import { createLiveRegion, createPlainRegion, type LiveRegion } from './live-region.ts';
import { noPaint, type Paint, paintFor } from './paint.ts';
import { plainJson } from './plain-text.ts';

export type Environment = Record<string, string | undefined>;

/** Where a command's words go: results to stdout, everything else to stderr. */
export interface Terminal {
  json: boolean;
  /** Whether a person can be asked. */
  interactive: boolean;
  /** For stdout. */
  paint: Paint;
  /** For stderr. */
  notePaint: Paint;
  columns: number;
  /** The foot of stderr, where it is a terminal. */
  live: LiveRegion;
  /** A line for people about what goes on; not with --json. */
  note(text: string): void;
  /** A line for programs about what goes on; only with --json. */
  event(event: Record<string, unknown>): void;
}

export function createTerminal(json: boolean, env: Environment): Terminal {
  const { stdin, stdout, stderr } = process;
  const live = !json && stderr.isTTY ? createLiveRegion(stderr) : createPlainRegion(stderr);
  return {
    json,
    interactive: !json && Boolean(stdin.isTTY && stdout.isTTY),
    paint: json ? noPaint : paintFor(Boolean(stdout.isTTY), env),
    notePaint: json ? noPaint : paintFor(Boolean(stderr.isTTY), env),
    columns: Math.max(60, stdout.columns ?? 100),
    live,
    note: (text) => {
      if (!json) live.line(text);
    },
    event: (event) => {
      if (json) stderr.write(`${plainJson({ event })}\n`);
    },
  };
}

/** Writes and waits until the other end of a pipe has it, so that nothing is lost at exit. */
export function writeOut(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error && !isClosedPipe(error) ? reject(error) : resolve()));
  });
}

/** As `writeOut`, and tells whether the other end is still there. */
export function writeWhileRead(stream: NodeJS.WriteStream, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error && !isClosedPipe(error)) reject(error);
      else resolve(!error);
    });
  });
}

function isClosedPipe(error: Error): boolean {
  return (error as { code?: unknown }).code === 'EPIPE';
}
