import { expect, test } from 'bun:test';
import type { Command } from 'commander';
import { createProgram } from './program.ts';
import { completionScript } from './render/completion-script.ts';
import { runCctl } from './testing/run-cctl.ts';

const program = createProgram({ env: {}, cwd: '/', finish: () => undefined });

function leaves(command: Command, path: string[] = []): [string, Command][] {
  const here = [...path, command.name()];
  if (command.commands.length === 0) return [[here.join(' '), command]];
  return command.commands.flatMap((one) => leaves(one, here));
}

test('every command takes --json and says what it does', () => {
  for (const [path, command] of leaves(program)) {
    const flags = command.options.map(({ long }) => long);
    expect([path, flags]).toEqual([path, expect.arrayContaining(['--json'])]);
    expect([path, command.description()]).toEqual([path, expect.stringMatching(/\w/)]);
  }
});

/** What bash offers for the last of some words. */
async function offered(...words: string[]): Promise<string[]> {
  const line = `COMP_WORDS=(cctl ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _cctl; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const bash = Bun.spawn(['bash', '-c', `${completionScript(program, 'bash')}\n${line}`], { stderr: 'pipe' });
  const [text, errors] = await Promise.all([bash.stdout.text(), bash.stderr.text()]);
  expect(errors).toBe('');
  return text.trim().split('\n');
}

test('the shell completes commands, options and their choices at every depth', async () => {
  expect(await offered('gua')).toEqual(['guardrails']);
  expect(await offered('guardrails', 'ru')).toEqual(['rules']);
  expect(await offered('guardrails', 'explain', '--st')).toEqual(['--stdin']);
  expect(await offered('guardrails', 'explain', '--mode', 'pl')).toEqual(['plan']);
  expect(await offered('decide', 'apr_1', 'ch')).toEqual(['changes']);
  expect(await offered('nothing', '--x')).toEqual(['']);
});

test('completion prints the script, as text and as JSON', async () => {
  const ran = await runCctl(['completion', 'zsh', '--json']);
  expect([ran.exitCode, JSON.parse(ran.stdout).script]).toEqual([0, expect.stringContaining('bashcompinit')]);
});
