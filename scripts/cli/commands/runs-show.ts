import type { Command } from 'commander';
import type { RunPrompts } from '../client/activity-calls.ts';
import type { Client } from '../client/client.ts';
import type { Cli, Outcome } from '../command.ts';
import { usageError } from '../command-error.ts';
import { locate } from '../locate.ts';
import { plainText } from '../plain-text.ts';
import { onRemoteAction, type RemoteCall, type RemoteOptions } from '../remote-action.ts';
import { runStepsText } from '../render/run-steps.ts';
import { runText } from '../render/run-text.ts';
import { runTreeText } from '../render/run-tree.ts';

interface ShowOptions extends RemoteOptions {
  tree?: boolean;
  prompt?: boolean;
  steps?: boolean;
}

/** `cctl runs show`: one run, or one side of it. */
export function addRunsShow(runs: Command, cli: Cli): void {
  const show = runs
    .command('show')
    .description('show what a run did, with its tokens and cost')
    .argument('<id>', 'the run')
    .option('--tree', 'the whole tree that it belongs to: states, times and costs')
    .option('--prompt', 'what it was sent at its start: the system prompt and the prompt')
    .option('--steps', 'each step: calls, inputs, outputs, decisions');
  onRemoteAction<ShowOptions>(cli, show, showRun);
}

type Call = RemoteCall<ShowOptions>;

async function showRun({ client, options, args: [id = ''], context }: Call): Promise<Outcome> {
  const sides = (['tree', 'prompt', 'steps'] as const).filter((side) => options[side]);
  if (sides.length > 1) {
    throw usageError('--tree, --prompt and --steps show different sides of a run: give one of them.');
  }
  const { workspaceId, found: run } = await locateRun(client, options.workspace, id);
  const { paint } = context.terminal;
  switch (sides[0]) {
    case 'tree': {
      const value = await client.runTree(workspaceId, id);
      return { value, text: runTreeText(value, id, paint) };
    }
    case 'prompt': {
      const value = await client.runPrompt(workspaceId, id);
      return { value, text: promptText(value) };
    }
    case 'steps': {
      const value = await client.runPage(workspaceId, id);
      return { value, text: runStepsText(value, paint) };
    }
    default: {
      const [entries, me] = await Promise.all([client.runEntries(workspaceId, id), client.me()]);
      return { value: { run, entries }, text: runText(run, entries, paint, Date.now(), me.actor) };
    }
  }
}

/** Finds a run in whichever workspace holds it. @throws Fault not_found */
export function locateRun(client: Client, workspace: string | undefined, id: string) {
  return locate(client, workspace, 'run', id, (ws) => client.run(ws, id));
}

function promptText({ runId, starts }: RunPrompts): string {
  const [last, ...earlier] = starts;
  if (!last) return `Run ${runId} has not started, so nothing was sent.`;
  const others =
    earlier.length === 0
      ? []
      : ['', `Earlier starts sent another system prompt, ${earlier.length} in all (--json).`];
  return [
    '--- system',
    ...last.system.map(({ text }) => plainText(text)),
    ...['--- prompt', plainText(last.prompt)],
    ...others,
  ].join('\n');
}
