import type { Run } from '../../../services/runs/runs/schema.ts';
import type { RunEntry } from '../client/client.ts';
import type { Paint } from '../paint.ts';
import { plainLine, plainText } from '../plain-text.ts';
import { duration, moneyOrUnknown } from './amounts.ts';
import { decidedByText } from './explanation-text.ts';
import { tableOfWorkspaces } from './workspace-column.ts';

/** A run, and the name of its workspace. */
export type ListedRun = Run & { workspace: string };

/** Runs, newest first. */
export function runsTable(runs: readonly ListedRun[], nowMs: number): string {
  const columns = [
    { title: 'ID' },
    { title: 'AGENT', max: 24 },
    { title: 'STATUS' },
    { title: 'MODE' },
    { title: 'WHY' },
    { title: 'TIME', align: 'right' as const },
    { title: 'COST', align: 'right' as const },
    { title: 'SUMMARY', max: 60 },
  ];
  const rows = runs.map((run) => [
    run.id,
    run.agentName,
    statusText(run),
    run.mode,
    run.trigger.kind,
    timeText(run, nowMs),
    moneyOrUnknown(run.costMicros),
    plainLine(run.summary ?? '', 60),
  ]);
  const workspaces = runs.map(({ workspace }) => workspace);
  return tableOfWorkspaces(columns, rows, workspaces, 'No runs yet.');
}

function statusText({ status, liveness, errorFamily }: Run): string {
  if (errorFamily !== null && errorFamily !== status) return `${status} (${errorFamily})`;
  return status === 'running' && liveness !== 'progressing' ? `${status} (${liveness})` : status;
}

function timeText({ startedAt, endedAt }: Run, nowMs: number): string {
  return startedAt === null ? '' : duration((endedAt ?? nowMs) - startedAt);
}

function cacheText({ cacheReadShare: share, tokens }: Run): string {
  if (share === null) return 'no prompt yet';
  const read = `${Math.floor(share * 100)} % of all prompts read from it`;
  return `${read}: ${tokens.cacheRead} tokens, and ${tokens.cacheWrite} written`;
}

/** One run in full: why it woke, what it could do, what it did and what that took. `me` is the actor who reads it. */
export function runText(
  run: Run,
  entries: readonly RunEntry[],
  paint: Paint,
  nowMs: number,
  me: string | null = null,
): string {
  const { input, output, cacheRead, cacheWrite } = run.tokens;
  const facts = [
    ['Agent', run.agentName],
    ['Status', statusText(run)],
    ['Why', run.trigger.id === null ? run.trigger.kind : `${run.trigger.kind} ${run.trigger.id}`],
    ['Mode', run.mode],
    ['Model', run.model],
    ['Tools', run.tools.join(', ') || 'none'],
    ['Sandbox', run.sandbox],
    ['Branch', run.branch ?? 'none'],
    ['Time', timeText(run, nowMs) || 'not started'],
    ['Tokens', `${input + cacheRead + cacheWrite} in, ${output} out`],
    ['Cache', cacheText(run)],
    ['Cost', moneyOrUnknown(run.costMicros)],
    ...(run.parentRunId === null ? [] : [['For', `${run.parentRunId}, whose sub-agent it is`]]),
    ...(run.children.length === 0 ? [] : [['Started', run.children.join(', ')]]),
    ...(run.waitingFor === null ? [] : [['Waits', `for ${run.waitingFor}`]]),
    ...(run.resumeAt === null ? [] : [['Goes on', `by itself at ${new Date(run.resumeAt).toISOString()}`]]),
    ...(run.takenOverBy === null ? [] : [['Held', `by ${run.takenOverBy === me ? 'you' : run.takenOverBy}`]]),
    ...(run.summary === null ? [] : [['Summary', run.summary]]),
  ];
  const head = facts.map(([name = '', value = '']) => `${paint.bold(name.padEnd(8))} ${plainText(value)}`);
  return [
    `${paint.bold('Run')} ${run.id}`,
    ...head,
    '',
    ...entries.flatMap(({ entry }) => entryLines(entry, paint)),
  ].join('\n');
}

function entryLines(entry: RunEntry['entry'], paint: Paint): string[] {
  switch (entry.kind) {
    case 'user':
      return [`${paint.cyan(`> ${entry.cause}`)} ${plainLine(entry.text, 400)}`];
    case 'answer':
      return [
        ...entry.content.flatMap((block) => blockLine(block, paint)),
        paint.dim(
          `  ${entry.stopReason}, cost ${moneyOrUnknown(entry.costMicros)}, ${duration(entry.durationMs)}`,
        ),
      ];
    case 'toolHeld':
      return [paint.yellow(`  … ${plainLine(entry.name, 80)} waits for a person (${entry.approvalId})`)];
    case 'toolStarted':
      return decisionLines(entry, paint);
    case 'toolFinished': {
      const line = `  = ${entry.name}: ${plainLine(entry.content, 300)} (${duration(entry.durationMs)})`;
      return [...decisionLines(entry, paint), entry.isError ? paint.red(line) : paint.dim(line)];
    }
    case 'compaction':
      return [
        paint.cyan(`~ the first ${entry.turns} answers stand in a summary from here on`),
        paint.dim(`  ${plainLine(entry.summary, 300)}, cost ${moneyOrUnknown(entry.costMicros)}`),
      ];
    case 'rewind':
      return [paint.yellow(`< taken back: ${countingText(entry.turns)}`)];
  }
}

function countingText(turns: number): string {
  if (turns === 0) return 'no answer before this counts any more';
  return `of the answers before this only the first ${turns === 1 ? 'one counts' : `${turns} count`} on`;
}

type Judged = Extract<RunEntry['entry'], { kind: 'toolStarted' | 'toolFinished' }>;

/** What decided over a call; nothing where the call has no effect that anything could hold back. */
function decisionLines({ name, decision }: Judged, paint: Paint): string[] {
  if (!decision || decision.rule.kind === 'harmless' || decision.rule.kind === 'pinned') return [];
  const by = decision.approvalId === null ? decidedByText(decision.rule) : `approval ${decision.approvalId}`;
  return [paint.dim(`  ${decision.decision} ${plainLine(name, 80)} by ${by}`)];
}

type Block = Extract<RunEntry['entry'], { kind: 'answer' }>['content'][number];

function blockLine(block: Block, paint: Paint): string[] {
  if (block.type === 'text') return plainText(block.text).split('\n');
  if (block.type === 'tool_use')
    return [`  ${paint.bold(plainLine(block.name, 80))} ${plainLine(JSON.stringify(block.input), 300)}`];
  return block.type === 'thinking' ? [paint.dim(`  (thinking) ${plainLine(block.thinking, 300)}`)] : [];
}
