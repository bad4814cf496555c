import type { Actor } from '../../kit/actor.ts';
import type { NewEvent } from '../../kit/database/event-log.ts';
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

/** An event of this run, told by its agent. */
export function runEvent(
  run: Pick<RunRow, 'id' | 'agentId'>,
  type: string,
  at: number,
  data: Record<string, unknown>,
): NewEvent {
  return { at, actor: agentActor(run.agentId), type, subject: run.id, data };
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
