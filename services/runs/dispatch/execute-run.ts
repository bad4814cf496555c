import { diskFault } from '../../kit/disk-fault.ts';
import { Fault } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';
import { createJournal } from '../entries/journal.ts';
import { readEntries } from '../entries/store.ts';
import { readConversation } from '../harness/conversation.ts';
import { type HarnessPorts, runHarness } from '../harness/harness.ts';
import type { RunJournal } from '../harness/journal.ts';
import type { HarnessOutcome } from '../harness/outcome.ts';
import { type StandingContract, withStanding } from '../harness/standing.ts';
import { namesOf } from '../prompt/names.ts';
import { CANCELLED } from '../runs/cancel.ts';
import type { RunRow } from '../runs/schema.ts';
import { findRow } from '../runs/store.ts';
import { continueRun, noteLiveness, startRun } from '../runs/transitions.ts';
import { rootOf } from '../runs/tree.ts';
import { MOST_CRASHES } from '../runs/trouble.ts';
import { readKeptMedia } from '../tools/keep-media.ts';
import { runFolder } from '../tools/run-folder.ts';
import { deadOutcome } from './dead-run.ts';
import { leaveRun } from './leave-run.ts';
import { type LiveRun, LoopStopped } from './live-run.ts';
import type { LiveStreams } from './live-streams.ts';
import { failureOutcome, INACTIVE, PAUSED } from './outcomes.ts';
import { type PreparedRun, peersAwaited, prepareWithPeers } from './prepare-run.ts';
import { answersIn, RunVoice } from './run-voice.ts';
import { type SilenceListener, type SilenceWatch, silenceLimitMs, watchSilence } from './silence-watch.ts';
import { toolsOfRun } from './tools-of-run.ts';

/** Model answers that a run may take unless it or its agent says otherwise. */
const USUAL_MAX_TURNS = 200;
/** A cancelled loop that has not come to rest by then is left behind; nothing it still writes is taken. */
const CANCEL_LIMIT_MS = 1_800;

/** Runs one loop from wherever its run stands to where it ends or has to wait, and commits that. */
export async function executeRun(deps: RunsDeps, streams: LiveStreams, live: LiveRun): Promise<void> {
  const row = await findRow(await deps.databases.open(live.workspaceId), live.runId);
  const outcome = await Promise.race([outcomeOf(deps, streams, live, row), cancelledInTime(live)]);
  if (outcome !== null && !live.released) await leaveRun(deps, live, row, outcome);
}

/** Null: the run is not this process's any more, and nothing is to be written. */
async function outcomeOf(
  deps: RunsDeps,
  streams: LiveStreams,
  live: LiveRun,
  row: RunRow,
): Promise<HarnessOutcome | null> {
  if (row.cancelRequested) return CANCELLED;
  if (row.pauseRequestedAt !== null) return PAUSED;
  if (row.crashes >= MOST_CRASHES) return deadOutcome(await deps.databases.open(live.workspaceId), row);
  let watch: SilenceWatch | null = null;
  let contract = { exitVerb: null as string | null, outputSchema: row.outputSchema };
  const told = (outcome: HarnessOutcome) => standingOf(deps, live, contract, outcome);
  try {
    const prepared = await prepareWithPeers(deps, live.workspaceId, row, live.signal, () =>
      live.throwIfPaused(),
    );
    contract = { ...contract, exitVerb: prepared.exitVerb };
    const database = await deps.databases.open(live.workspaceId);
    const at = deps.clock();
    const begun =
      row.startedAt === null
        ? startRun(database, row, prepared.facts, prepared, at)
        : continueRun(database, row, prepared, at);
    if (!(await begun)) return null;
    watch = watchSilence(silenceLimitMs(prepared), silenceOf(deps, live, row));
    const outcome = await runLoop(deps, streams, live, row, prepared, watch);
    if (live.cause === 'inactivity') return await told(INACTIVE);
    // A wait would end with the decision alone; a pause ends when a person says so.
    return live.pauseRequested && outcome.status === 'suspended' ? await told(PAUSED) : outcome;
  } catch (error) {
    const outcome = stoppedOutcome(deps, live, error);
    return outcome === null ? null : told(outcome);
  } finally {
    watch?.end();
  }
}

/** An outcome that the loop did not come to itself, told as the loop tells its own. */
async function standingOf(
  deps: RunsDeps,
  live: LiveRun,
  contract: StandingContract,
  outcome: HarnessOutcome,
): Promise<HarnessOutcome> {
  try {
    const logged = await readEntries(await deps.databases.open(live.workspaceId), live.runId);
    const conversation = readConversation(logged.map(({ entry }) => entry));
    return withStanding(contract, conversation, outcome);
  } catch (error) {
    // What ended the run may keep its journal from being read as well.
    deps.log.warn({ err: error, runId: live.runId }, 'where a run stood could not be read');
    return outcome;
  }
}

function silenceOf(deps: RunsDeps, live: LiveRun, run: RunRow): SilenceListener {
  const note = async (liveness: 'stalled' | 'progressing') => {
    try {
      const database = await deps.databases.open(live.workspaceId);
      await noteLiveness(database, live, run, liveness, deps.clock());
    } catch (error) {
      deps.log.warn({ err: error, runId: live.runId, liveness }, 'how a run fares could not be noted');
    }
  };
  return {
    onHalf: () => void note('stalled'),
    onHeard: () => void note('progressing'),
    onSilence: () => live.stopForInactivity(),
  };
}

function stoppedOutcome(deps: RunsDeps, live: LiveRun, error: unknown): HarnessOutcome | null {
  if (live.released) return null;
  if (live.cause === 'cancelled') return CANCELLED;
  if (live.cause === 'inactivity') return INACTIVE;
  if (error instanceof LoopStopped) return PAUSED;
  if (!(diskFault(error) instanceof Fault))
    deps.log.error({ err: error, runId: live.runId }, 'a run failed unexpectedly');
  return failureOutcome(error);
}

async function runLoop(
  deps: RunsDeps,
  streams: LiveStreams,
  live: LiveRun,
  row: RunRow,
  prepared: PreparedRun,
  watch: SilenceWatch,
): Promise<HarnessOutcome> {
  const { exitVerb, agent, model } = prepared;
  const job = {
    runId: row.id,
    ...{ system: prepared.system, prompt: prepared.prompt, model, effort: agent.effort },
    exitVerb,
    outputSchema: row.outputSchema,
    maxTurns: row.maxTurns ?? agent.maxTurns ?? USUAL_MAX_TURNS,
    contextTokens: agent.contextSize,
  };
  const journal = journalOf(deps, live, row, model.id);
  const tools = toolsOfRun(deps, live.workspaceId, row, prepared);
  const speaker = { streams, runId: live.runId, secrets: deps.secrets ?? [], onHeard: () => watch.touch() };
  const voice = new RunVoice(speaker, await answersIn(journal));
  const ports: HarnessPorts = {
    journal: watched(voice.over(journal), watch),
    ...{ tools, events: voice.events },
    media: (file) => readKeptMedia(runFolder(deps.dataDir, live.workspaceId, row.id), file),
    beforeCalls: () => live.throwIfPaused(),
    ...{ client: model.client, clock: deps.clock, log: deps.log },
  };
  return runHarness(job, ports, live.signal).finally(() => voice.end());
}

function journalOf(deps: RunsDeps, live: LiveRun, row: RunRow, model: string): RunJournal {
  return createJournal({
    ...{ workspaceId: live.workspaceId, runId: row.id, epoch: live.epoch, agentId: row.agentId },
    open: () => deps.databases.open(live.workspaceId),
    ...{ rootRunId: rootOf(row), budgetScope: row.budgetScope, conversationId: row.conversationId },
    ...{ agentName: row.agentName, model },
    names: () => peersAwaited(deps, row.id, live.signal, () => namesOf(deps.spaces, live.workspaceId)),
    secrets: deps.secrets ?? [],
    clock: deps.clock,
    wakes: deps.databases.wakes,
    signal: live.signal,
    beforeCall: () => live.throwIfPaused(),
    beforeWrite: () => live.throwIfReleased(),
  });
}

function watched(journal: RunJournal, watch: SilenceWatch): RunJournal {
  return {
    load: () => watch.during(journal.load()),
    append: (label, entry) => watch.during(journal.append(label, entry)),
    reserve: (upperBoundMicros) => watch.during(journal.reserve(upperBoundMicros)),
    answer: (entry) => watch.during(journal.answer(entry)),
    compact: (entry) => watch.during(journal.compact(entry)),
    takeMessages: () => watch.during(journal.takeMessages()),
  };
}

/** Settles only when a cancel has had its time. */
function cancelledInTime(live: LiveRun): Promise<HarnessOutcome> {
  const { promise, resolve } = Promise.withResolvers<HarnessOutcome>();
  const later = () => {
    if (live.cause === 'cancelled') setTimeout(() => resolve(CANCELLED), CANCEL_LIMIT_MS).unref();
  };
  if (live.signal.aborted) later();
  else live.signal.addEventListener('abort', later, { once: true });
  return promise;
}
