import type { Actor } from '../../kit/actor.ts';
import type { Statement } from '../../kit/database/database.ts';
import { eventsOfRows, type NewEvent } from '../../kit/database/event-log.ts';
import type { Run, RunRow } from './schema.ts';

/** The adapter of an agent that names none. */
export const BUILT_IN_ADAPTER = 'cc-harness';

export function agentActor(agentId: string): Actor {
  return `agent:${agentId}`;
}

/** Whether what a run waits for is another run; else it is an approval. */
export function isRunId(id: string): boolean {
  return id.startsWith('run_');
}

export function runOfRow(row: RunRow): Omit<Run, 'children'> {
  const { triggerKind, triggerId, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, ...rest } =
    row;
  const { prompt, requestedBy, outputSchema, worktree, phase, cancelRequested, epoch, ...known } = rest;
  const { depth, hasContract, parkedAt, pauseRequestedAt, takenOver, ...more } = known;
  const { resumeTries, troubleSince, troubleAnswers, crashes, crashEntries, ...shown } = more;
  return {
    ...shown,
    budgetStop: row.status === 'paused' && row.errorFamily === 'budget' ? row.budgetStop : null,
    trigger: { kind: triggerKind, id: triggerId },
    tokens: {
      input: inputTokens,
      output: outputTokens,
      cacheRead: cacheReadTokens,
      cacheWrite: cacheWriteTokens,
    },
    cacheReadShare: cacheReadShare(inputTokens, cacheReadTokens, cacheWriteTokens),
  };
}

/** The part of the prompts that came from the cache; null where nothing was sent. */
export function cacheReadShare(input: number, cacheRead: number, cacheWrite: number): number | null {
  const prompt = input + cacheRead + cacheWrite;
  return prompt === 0 ? null : cacheRead / prompt;
}

/** What of a run its events need: whatever follows an orchestration finds those of its runs by `orchestrationId`. */
export type ToldRun = Pick<RunRow, 'id' | 'agentId' | 'budgetScope'>;

/** An event of this run, told by its agent. */
export function runEvent(
  { id, agentId, budgetScope }: ToldRun,
  type: string,
  at: number,
  data: Record<string, unknown>,
): NewEvent {
  const under = budgetScope === null ? {} : { orchestrationId: budgetScope };
  return { at, actor: agentActor(agentId), type, subject: id, data: { ...data, ...under } };
}

/** The same, told by somebody else who knows only its id, when the statement just before it in the batch changed a row. */
export function runEventIfChanged({ subject, data, ...event }: NewEvent): Statement {
  const from = 'runs WHERE id = ? AND changes() > 0';
  const args = [JSON.stringify(data), subject];
  return eventsOfRows(event, { subject: 'id', data: toldOfRun('?'), from, args });
}

/** SQL, of the run `runs`: the data of an event with the orchestration that the run works for, if there is one. */
export function toldOfRun(data: string): string {
  return `json_patch(${data}, json_object('orchestrationId', budgetScope))`;
}

/**
 * What `run.ended` says; listeners of other services need nothing else of the run.
 * @param treeCostMicros what the run and all its sub-agents cost; null when a part is unknown
 */
export function endedData(
  run: Omit<Run, 'children'>,
  endedAt: number,
  treeCostMicros: number | null,
): Record<string, unknown> {
  const { status, liveness, errorFamily, summary, key, trigger, conversationId, agentId } = run;
  const { costMicros, tokens, output, startedAt, parentRunId, rootRunId } = run;
  const durationMs = startedAt === null ? 0 : endedAt - startedAt;
  const cost = { costMicros, treeCostMicros, tokens, durationMs };
  const outcome = { status, liveness, errorFamily, summary, ...cost, output };
  return { ...outcome, key, trigger, conversationId, agentId, parentRunId, rootRunId };
}
