import pRetry from 'p-retry';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import type { HarnessOutcome } from '../harness/outcome.ts';
import { CANCELLED } from '../runs/cancel.ts';
import { agentActor, isRunId } from '../runs/run.ts';
import type { RunRow } from '../runs/schema.ts';
import { type Leaving, leaveLoop } from '../runs/transitions.ts';
import { planResume, RESUME_DELAYS_MS, type ResumePlan } from '../runs/trouble.ts';
import { timeText } from '../steering/kept-notice.ts';
import { countRead } from '../steering/store.ts';
import { redact } from '../tools/output.ts';
import { type LeftRun, lastWords } from './last-words.ts';
import type { LiveRun } from './live-run.ts';
import { wakeIfDecided } from './wake.ts';

const RETRY = { retries: Number.POSITIVE_INFINITY, minTimeout: 100, maxTimeout: 5_000 };

/**
 * Posts what the run said, commits how it left its loop, and looks once whether what it waits for is decided already.
 * Goes on through a full disk or a peer that is down until this process lets go of the run: a run that nobody runs and
 * that has not ended would be lost until the next start.
 */
export async function leaveRun(
  deps: RunsDeps,
  live: LiveRun,
  row: RunRow,
  came: HarnessOutcome,
): Promise<void> {
  // Why a call of the model failed is told in the words of whoever answered it.
  const outcome = { ...came, summary: came.summary && redact(came.summary, deps.secrets ?? []) };
  const lasting = until(live.releaseSignal);
  const { workspaceId } = live;
  const open = () => deps.databases.open(workspaceId);
  const resume = await lasting(async () => resumeOf(deps, await open(), live, outcome));
  const words = { outcome, resume, read: await countRead(await open(), row.id) };
  const isSaid = await saidUnlessCancelled(deps, live, row, words);
  const leaving = isSaid ? shownLeaving(outcome, resume) : { outcome: CANCELLED, resume: null };
  const left = await lasting(async () => leaveLoop(await open(), live, leaving, deps.clock()));
  if (!left) return;
  const { waitingFor } = leaving.outcome;
  if (waitingFor && !isRunId(waitingFor))
    await lasting(async () => wakeIfDecided(deps, workspaceId, await open(), waitingFor));
}

/** A person's pause ends when a person says so. */
async function resumeOf(
  deps: RunsDeps,
  database: Database,
  live: LiveRun,
  outcome: HarnessOutcome,
): Promise<ResumePlan | null> {
  if (live.pauseRequested) return null;
  return planResume(database, live.runId, outcome, deps.clock(), deps.resumeDelaysMs ?? RESUME_DELAYS_MS);
}

function shownLeaving(outcome: HarnessOutcome, resume: ResumePlan | null): Leaving {
  if (resume === null) return { outcome, resume };
  const byItself =
    resume.resumeAt === null
      ? 'It has been so for a day, so it no longer goes on by itself.'
      : `It goes on by itself at ${timeText(resume.resumeAt)}.`;
  return { outcome: { ...outcome, summary: `${outcome.summary} ${byItself}` }, resume };
}

type Lasting = <T>(work: () => Promise<T>) => Promise<T>;

/** Tries again what may pass, until the signal. */
function until(signal: AbortSignal): Lasting {
  return (work) => pRetry(work, { ...RETRY, signal, shouldRetry: ({ error }) => isPassing(error) });
}

/** False: a cancel came before the words were posted; it waits for nobody who may be away for long. */
async function saidUnlessCancelled(
  deps: RunsDeps,
  live: LiveRun,
  row: RunRow,
  words: LeftRun,
): Promise<boolean> {
  const { cancelSignal, releaseSignal } = live;
  const { promise: cancelled, resolve } = Promise.withResolvers<false>();
  const onCancel = () => resolve(false);
  if (cancelSignal.aborted) onCancel();
  cancelSignal.addEventListener('abort', onCancel, { once: true });
  const lasting = until(AbortSignal.any([cancelSignal, releaseSignal]));
  const saying = said(deps, live, row, words, lasting).then(() => true);
  return Promise.race([cancelled, saying]);
}

async function said(
  deps: RunsDeps,
  live: LiveRun,
  row: RunRow,
  left: LeftRun,
  lasting: Lasting,
): Promise<void> {
  const { conversationId, id, agentId } = row;
  if (conversationId === null) return;
  for (const message of lastWords(row, left)) {
    const post = () =>
      deps.spaces.postMessage(agentActor(agentId), live.workspaceId, conversationId, message);
    try {
      deps.onPoint?.('run.final:before');
      await lasting(post);
      deps.onPoint?.('run.final:after');
    } catch (error) {
      // The run did its work; that its words cannot be posted, for good, is not its failure.
      if (!(error instanceof Fault) || isPassing(error)) throw error;
      deps.log.error({ err: error, runId: id }, "a run's last words could not be posted");
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Fault && error.retryable;
}
