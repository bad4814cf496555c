import type { Command } from 'commander';
import { type Cli, type CommandContext, type Outcome, onAction } from '../command.ts';
import { connect } from '../connect.ts';
import { followInbox } from '../follow-inbox.ts';
import { type InboxChange, type InboxItem, readInboxes } from '../inbox.ts';
import { chosenWorkspaces } from '../locate.ts';
import type { Paint } from '../paint.ts';
import { plainJson } from '../plain-text.ts';
import { addRemoteOptions, type RemoteOptions } from '../remote-action.ts';
import { inboxLine, inboxTable } from '../render/approval.ts';
import { stopOnSignals } from '../stop-on-signals.ts';
import { PATIENCE_MS } from './follow.ts';

interface Options extends RemoteOptions {
  follow?: boolean;
}

export function addInbox(program: Command, cli: Cli): void {
  const command = program
    .command('inbox')
    .description('list what waits for a person, newest first')
    .option('--follow', 'go on with each change and how many wait; with --json one JSON document a line');
  addRemoteOptions(command);
  onAction<Options>(cli, command, async (context, options) => {
    if (options.follow) return follow(context, options);
    const client = await connect(context.env, { url: options.url });
    const value = await readInboxes(client, options.workspace);
    const { items, count } = value;
    const rest = count > items.length ? `\n${count} wait in all.` : '';
    return { value, text: `${inboxTable(items)}${rest}` };
  });
}

async function follow({ terminal, env }: CommandContext, options: Options): Promise<Outcome> {
  const stop = new AbortController();
  const release = stopOnSignals(stop);
  const { signal } = stop;
  const print = (text: string, value: Record<string, unknown>) =>
    process.stdout.write(`${terminal.json ? plainJson(value) : text}\n`);
  try {
    const client = await connect(env, { url: options.url, patienceMs: PATIENCE_MS, signal });
    return await followInbox({
      client,
      workspaces: await chosenWorkspaces(client, options.workspace),
      attending: terminal.interactive,
      signal,
      onStart(inboxes, count) {
        const items: InboxItem[] = inboxes.flatMap((inbox) => inbox.items);
        items.sort((a, b) => b.approval.createdAt - a.approval.createdAt);
        print(`${inboxTable(items)}\n${waitingText(count)}`, { type: 'inbox', items, count });
      },
      onChange({ change, item }, count) {
        print(changeText({ change, item }, count, terminal.paint), { type: change, ...item, count });
      },
    });
  } finally {
    release();
  }
}

const MARKS: Record<InboxChange['change'], { mark: string; paint: keyof Paint }> = {
  added: { mark: '+', paint: 'yellow' },
  changed: { mark: '~', paint: 'cyan' },
  removed: { mark: '-', paint: 'dim' },
};

function changeText({ change, item }: InboxChange, count: number, paint: Paint): string {
  const { mark, paint: colour } = MARKS[change];
  return `${paint[colour](`${mark} ${inboxLine(item)}`)}  (${waitingText(count)})`;
}

function waitingText(count: number): string {
  return count === 1 ? '1 waits' : `${count} wait`;
}
