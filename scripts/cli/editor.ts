import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-status.ts';
import type { Environment } from './terminal.ts';

/** Opens text in the person's editor and gives back what they saved. */
export async function editText(text: string, fileName: string, env: Environment): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'cctl-'));
  try {
    const file = join(directory, fileName);
    await writeFile(file, text, { mode: 0o600 });
    await runEditor(env.VISUAL || env.EDITOR || 'vi', file);
    return await readFile(file, 'utf8');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

// An editor variable may hold arguments (`code --wait`), so a shell reads it; the file's name is passed as a parameter.
async function runEditor(editor: string, file: string): Promise<void> {
  const child = Bun.spawn(['sh', '-c', `${editor} "$1"`, 'cctl-edit', file], {
    stdin: 'inherit',
    stdout: 'inherit',
    stderr: 'inherit',
  });
  const exitCode = await child.exited;
  if (exitCode === 0) return;
  const message = `The editor ${JSON.stringify(editor)} ended with status ${exitCode}. Set EDITOR to one that works.`;
  throw new CommandError(EXIT.failed, 'editor_failed', message);
}
