import type { Actor } from '../../kit/actor.ts';
import type { NewEvent } from '../../kit/database/event-log.ts';
import type { Run, RunRow } from './schema.ts';

/** The adapter of an agent that names none. */
export const BUILT_IN_ADAPTER = 'cc-harness';

export function agentActor(agentId: string): Actor {
  return `agent:${agentId}`;
}

export function runOfRow(row: RunRow): Run {
  const { triggerKind, triggerId, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, ...rest } =
    row;
  const { prompt, requestedBy, outputSchema, worktree, phase, cancelRequested, epoch, ...shown } = rest;
  return {
    ...shown,
    trigger: { kind: triggerKind, id: triggerId },
    tokens: {
      input: inputTokens,
      output: outputTokens,
      cacheRead: cacheReadTokens,
      cacheWrite: cacheWriteTokens,
    },
  };
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

/** What `run.ended` says; listeners of other services need nothing else of the run. */
export function endedData(run: Run, endedAt: number): Record<string, unknown> {
  const { status, liveness, errorFamily, summary, key, trigger, conversationId, agentId } = run;
  const { costMicros, tokens, output, startedAt } = run;
  const durationMs = startedAt === null ? 0 : endedAt - startedAt;
  const outcome = { status, liveness, errorFamily, summary, costMicros, tokens, durationMs, output };
  return { ...outcome, key, trigger, conversationId, agentId };
}
