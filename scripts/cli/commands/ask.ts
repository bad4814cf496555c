import { type Command, Option } from 'commander';
import { MODES, type Mode } from '../../../core-wasm/core.ts';
import type { Client } from '../client/client.ts';
import { type Cli, type CommandContext, type Outcome, onAction } from '../command.ts';
import { usageError } from '../command-error.ts';
import { connect, isLoopback, requirePersonsToken, serverUrl } from '../connect.ts';
import { type FileToAttach, filesToAttach } from '../files-to-attach.ts';
import { type ServerUse, serverAt } from '../in-process.ts';
import { createJobHandlers } from '../job-handlers.ts';
import { jobOutcome } from '../job-outcome.ts';
import { createJobScreen } from '../job-screen.ts';
import { topLevel, unseenByAgents } from '../local-repository.ts';
import { chosenWorkspaces, locate } from '../locate.ts';
import { runMainJob } from '../main-job.ts';
import { plainLine } from '../plain-text.ts';
import { addRemoteOptions, type RemoteOptions } from '../remote-action.ts';
import { addLimitOptions, type LimitOptions, limitsOf, PATIENCE_MS } from './follow.ts';

interface Options extends RemoteOptions, LimitOptions {
  repo?: string | false;
  yes?: boolean;
  mode?: Mode;
  space?: string;
  attach: string[];
}

export function addAsk(program: Command, cli: Cli): void {
  const modes = MODES.filter((mode) => mode !== 'review');
  const command = program
    .command('ask')
    .description('give a goal, decide its proposal and follow the work to the deliverable')
    .argument('<goal...>', 'what you want done')
    .option('--repo <path>', 'the repository to work on (default: that of the current directory)')
    .option('--no-repo', 'work without a repository')
    .option('--yes', "approve the proposal without asking; needs a person's token")
    .addOption(new Option('--mode <mode>', 'mode of the space (default: orchestrate)').choices(modes))
    .option('--attach <file>', 'a file that goes along with the goal; again for more', collected, [])
    .option('--space <id>', 'go on in this space, with its repository and mode, not in a new one');
  addLimitOptions(command);
  addRemoteOptions(
    command,
    'name or id of the workspace; a new name makes one (default: the only one, else "default")',
  );
  onAction<Options>(cli, command, async (context, options, words) => {
    const goal = words.join(' ').trim();
    if (goal === '') throw usageError('The goal is empty: say what you want done.');
    if (options.space !== undefined && (options.repo !== undefined || options.mode !== undefined))
      throw usageError(
        '--space has its repository and mode already: --repo, --no-repo and --mode go without it.',
      );
    const limits = limitsOf(options);
    const files = await filesToAttach(options.attach, context.cwd);
    const url = serverUrl(context.env, options.url);
    const repository = options.space === undefined ? await chosenRepository(context, options, url) : null;
    const server = await serverAt(context, url);
    try {
      return await ask(context, options, { ...limits, goal, files, repository, server });
    } finally {
      await server.stop();
    }
  });
}

function collected(file: string, before: readonly string[]): string[] {
  return [...before, file];
}

interface Asked extends ReturnType<typeof limitsOf> {
  goal: string;
  files: readonly FileToAttach[];
  repository: string | null;
  server: ServerUse;
}

async function ask(context: CommandContext, options: Options, asked: Asked): Promise<Outcome> {
  const { goal, files, repository, timeoutMinutes, personWaitMs, server } = asked;
  const once = await connect(context.env, { url: server.url });
  if (options.yes) await requirePersonsToken(once, '--yes');
  const place = await placeChoice(once, options);
  const screen = createJobScreen(context.terminal, once);
  const work = async (signal: AbortSignal) => {
    const client = await connect(context.env, { url: server.url, patienceMs: PATIENCE_MS, signal });
    const yes = options.yes ?? false;
    const handlers = createJobHandlers({ context, client, screen, yes, personWaitMs });
    const mode = options.mode === undefined ? {} : { mode: options.mode };
    return runMainJob(client, { ...handlers, ...place, ...mode, repository, goal, files, signal });
  };
  return jobOutcome({ context, screen, timeoutMinutes, inProcess: server.inProcess, work });
}

/** An id must be that of a workspace; a name may be new, but not with a space that is there already. */
async function placeChoice(client: Client, { space, workspace: given }: Options) {
  if (space !== undefined) {
    const { workspaceId } = await locate(client, given, 'space', space, (ws) => client.space(ws, space));
    return { workspaceId, spaceId: space };
  }
  if (given === undefined) {
    const [only, ...others] = await client.workspaces();
    return only && others.length === 0 ? { workspaceId: only.id } : {};
  }
  if (!given.startsWith('ws_')) return { workspaceName: given };
  const [workspace] = await chosenWorkspaces(client, given);
  return workspace ? { workspaceId: workspace.id } : { workspaceName: given };
}

/** On another machine a path means another disk, so there it must be given, and that machine judges it. */
async function chosenRepository(
  context: CommandContext,
  options: Options,
  url: string,
): Promise<string | null> {
  if (options.repo === false) return null;
  const given = typeof options.repo === 'string' ? options.repo : null;
  if (!isLoopback(url)) {
    if (given === null)
      throw usageError(`Say which repository of ${url} to work on with --repo PATH, or --no-repo.`);
    return given;
  }
  const top = await topLevel(given ?? context.cwd, context.cwd);
  if (top !== null) {
    for (const sentence of await unseenByAgents(top)) context.terminal.note(plainLine(sentence, 300));
    return top;
  }
  const what = given === null ? 'The current directory' : JSON.stringify(given);
  throw usageError(
    `${what} is not in a git repository. Give one with --repo PATH, or work without with --no-repo.`,
  );
}
