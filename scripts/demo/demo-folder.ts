import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { usageError } from '../cli/command-error.ts';

export interface DemoFolder {
  /** Absolute path. */
  path: string;
  /** Takes away what the demo made there, and nothing that was there before. */
  remove(): void;
}

/** A folder for the demo: a temporary one, or the given one if it is new or empty. @throws CommandError usage */
export function openDemoFolder(given: string | null): DemoFolder {
  if (given === null) {
    const path = mkdtempSync(join(tmpdir(), 'control-center-demo-'));
    return { path, remove: () => removeAll([path]) };
  }
  const path = resolve(given);
  const firstMade = makeEmpty(path);
  return { path, remove: () => removeAll(firstMade === undefined ? entriesOf(path) : [firstMade]) };
}

/** The topmost folder that had to be made; undefined when it was there, empty. */
function makeEmpty(path: string): string | undefined {
  let firstMade: string | undefined;
  try {
    firstMade = mkdirSync(path, { recursive: true });
    if (readdirSync(path).length === 0) return firstMade;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError(`The demo needs a new or empty folder, and ${path} cannot be one (${reason}).`);
  }
  throw usageError(`The demo needs a new or empty folder; ${path} is not empty. Choose another with --dir.`);
}

function entriesOf(path: string): string[] {
  return readdirSync(path).map((name) => join(path, name));
}

function removeAll(paths: string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}
