import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { AUTONOMY, type Autonomy, MODES, type Mode } from '../../../core-wasm/core.ts';
import type { Explanation } from '../../../services/runs/guard/explain.ts';
import type { PolicyQuestion } from '../client/guardrail-calls.ts';
import { type Cli, type CommandContext, type Outcome, onAction } from '../command.ts';
import { usageError } from '../command-error.ts';
import { connect } from '../connect.ts';
import { explainLines } from '../guardrails/explain-lines.ts';
import type { Explain } from '../guardrails/explanation.ts';
import { createLocalExplainer } from '../guardrails/local-explainer.ts';
import { readRulesFile } from '../guardrails/rules-file.ts';
import { type PlaceOptions, policyPlace } from '../policy-place.ts';
import { addRemoteOptions } from '../remote-action.ts';
import { explanationText } from '../render/explanation-text.ts';
import { writeWhileRead } from '../terminal.ts';

interface Options extends PlaceOptions {
  command?: string;
  stdin?: boolean;
  tool?: string;
  input?: string;
  mode?: Mode;
  autonomy?: Autonomy;
  rules?: string;
  worktree?: string;
  url?: string;
  json?: boolean;
}

export function addExplain(guardrails: Command, cli: Cli): void {
  const command = guardrails
    .command('explain')
    .description('say what would happen to a command line or a tool call, and why; nothing is run')
    .option('--command <line>', 'a shell command line')
    .option('--stdin', 'each line of stdin is a command line, answered by one line of JSON')
    .option('--tool <name>', 'a call of this tool; asks a server')
    .option('--input <json>', "the tool's input (default: {})")
    .addOption(
      new Option('--mode <mode>', 'in this mode (default: chat, or that of the space)').choices(MODES),
    )
    .addOption(new Option('--autonomy <autonomy>', 'default: actWithApproval').choices(AUTONOMY))
    .option('--rules <file>', 'rules as a JSON array (default: none)')
    .option('--worktree <path>', 'the folder that may be written in (default: the current one)')
    .option('--space <id>', "by the rules of this space's workspace; asks a server")
    .option('--agent <name>', "by this agent's rules too; asks a server");
  addRemoteOptions(command, 'name or id of the workspace whose rules hold; asks a server');
  onAction<Options>(cli, command, explain);
}

async function explain(context: CommandContext, options: Options): Promise<Outcome> {
  checkUsage(options);
  const { tool, command, stdin } = options;
  if (tool !== undefined) {
    const ask = await serverExplainer(context, options);
    return outcomeOf(context, await ask({ tool, input: inputOf(options.input) }));
  }
  const line = isLocal(options)
    ? await localExplainer(context, options)
    : await lineExplainer(context, options);
  if (!stdin) return outcomeOf(context, await line(command ?? ''));
  await explainLines(Bun.stdin.stream(), line, (text) => writeWhileRead(process.stdout, text));
  return { value: undefined, text: '' };
}

function outcomeOf({ terminal }: CommandContext, value: Explanation): Outcome {
  return { value, text: explanationText(value, terminal.paint) };
}

function checkUsage(options: Options): void {
  const { command, stdin, tool, input } = options;
  if ([command, stdin, tool].filter((given) => given !== undefined).length !== 1)
    throw usageError('Say what to explain with one of --command LINE, --stdin and --tool NAME.');
  if (input !== undefined && tool === undefined) throw usageError('--input goes with --tool.');
  if (isLocal(options)) return;
  const own = (['autonomy', 'rules', 'worktree'] as const).find((name) => options[name] !== undefined);
  if (own !== undefined)
    throw usageError(`--${own} is for an answer without a server: there, what holds is the workspace's.`);
}

/** Without a server unless something of a server's is asked for. */
function isLocal({ space, agent, tool, workspace, url }: Options): boolean {
  return [space, agent, tool, workspace, url].every((given) => given === undefined);
}

async function localExplainer({ cwd }: CommandContext, options: Options): Promise<Explain> {
  const { mode = 'chat', autonomy = 'actWithApproval', worktree = '.' } = options;
  const rules = options.rules === undefined ? [] : await readRulesFile(options.rules, cwd);
  return createLocalExplainer({ mode, autonomy, rules, worktree: resolve(cwd, worktree) });
}

async function lineExplainer(context: CommandContext, options: Options): Promise<Explain> {
  const ask = await serverExplainer(context, options);
  return (command) => ask({ command });
}

async function serverExplainer({ env }: CommandContext, options: Options) {
  const client = await connect(env, { url: options.url });
  const { workspaceId, ...place } = await policyPlace(client, options);
  const mode = options.mode === undefined ? {} : { mode: options.mode };
  return (question: PolicyQuestion) => client.explainPolicy(workspaceId, { ...question, ...mode, ...place });
}

function inputOf(text = '{}'): Record<string, unknown> {
  const input = parsed(text);
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { ...input };
  throw usageError('--input is no JSON object.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`--input is no JSON: ${(error as Error).message}.`);
  }
}
