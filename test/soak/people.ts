import type { Json } from '../e2e/world.ts';
import type { Office, Room } from './office.ts';
import { drawn, pickBy } from './random.ts';
import { askFor, TASKS, type Task } from './soak-script.ts';

/** A message that the server has acknowledged. */
export interface Posted {
  id: string;
  room: Room;
  /** Sent to an agent at work. */
  isSteer: boolean;
}

export interface Log {
  posted: Posted[];
  cancels: number;
  pauses: number;
  /** Calls that failed in a way that no caller expects. */
  failures: string[];
}

/** An agent that takes longer is left to go on by itself. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 500;
/** A message that was taken has a run by then, however busy the server is. */
const BEGIN_LIMIT_MS = 30_000;

/** Somebody who asks an agent for one thing after the other, writes in between, changes their mind, and answers. */
export async function person(
  office: Office,
  room: Room,
  number: number,
  log: Log,
  hasStopped: () => boolean,
): Promise<void> {
  for (let turn = 0; !hasStopped(); turn++) {
    const n = number * 10_000 + turn;
    try {
      await askAndWait(office, room, n, log, hasStopped);
    } catch (error) {
      log.failures.push(`${n}: ${String(error)}`);
      await Bun.sleep(LOOK_MS);
    }
    await Bun.sleep(drawn(n, 'rest') * 1_500);
  }
}

function taskOf(n: number, room: Room): Task {
  const possible = TASKS.filter((task) => room.hasRepository || (task !== 'write' && task !== 'command'));
  return pickBy(possible, n, 'task');
}

async function askAndWait(
  office: Office,
  room: Room,
  n: number,
  log: Log,
  hasStopped: () => boolean,
): Promise<void> {
  const since = (await runsOf(office, room)).at(-1)?.id as string | undefined;
  await post(office, room, askFor(n, taskOf(n, room)), `soak/${n}`, false, log);
  const meddled = meddle(office, room, n, since, log);
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (Date.now() < giveUpAt && !hasStopped()) {
    const runs = await runsOf(office, room, since);
    if (runs.length > 0 && runs.every(({ endedAt }) => endedAt !== null)) break;
    await answerQuestions(office, runs);
    await Bun.sleep(LOOK_MS);
  }
  await meddled;
}

/** What people do while an agent works. */
async function meddle(
  office: Office,
  room: Room,
  n: number,
  since: string | undefined,
  log: Log,
): Promise<void> {
  await Bun.sleep(drawn(n, 'when') * 2_000);
  const what = drawn(n, 'meddle');
  if (what < 0.3) return post(office, room, `And mind ${n}.`, `soak/${n}/steer`, true, log);
  if (what >= 0.5) return;
  const run = await unfinishedRun(office, room, since);
  if (!run) return;
  if (what < 0.4) {
    log.cancels++;
    await expecting(office.ok('POST', `${office.ws}/runs/${run.id}/cancel`));
  } else {
    log.pauses++;
    await expecting(office.ok('POST', `${office.ws}/runs/${run.id}/pause`));
    await Bun.sleep(drawn(n, 'paused') * 1_000);
    await expecting(office.ok('POST', `${office.ws}/runs/${run.id}/resume`));
  }
}

async function unfinishedRun(
  office: Office,
  room: Room,
  since: string | undefined,
): Promise<Json | undefined> {
  const giveUpAt = Date.now() + BEGIN_LIMIT_MS;
  for (;;) {
    const runs = await runsOf(office, room, since);
    if (runs.length > 0 || Date.now() > giveUpAt) return runs.find(({ endedAt }) => endedAt === null);
    await Bun.sleep(LOOK_MS / 5);
  }
}

async function post(
  office: Office,
  room: Room,
  body: string,
  key: string,
  isSteer: boolean,
  log: Log,
): Promise<void> {
  const path = `${office.ws}/conversations/${room.conversationId}/messages`;
  const { message } = await office.ok('POST', path, { body, key });
  log.posted.push({ id: message.id, room, isSteer });
}

export function runsOf(office: Office, room: Room, after?: string): Promise<Json[]> {
  const from = after === undefined ? '' : `&after=${after}`;
  return office.all(`${office.ws}/runs?conversationId=${room.conversationId}${from}`);
}

export async function answerQuestions(office: Office, runs: readonly Json[]): Promise<void> {
  for (const { waitingFor } of runs) {
    if (!String(waitingFor).startsWith('apr_')) continue;
    const json = { decision: 'approved', answer: 'Seven.' };
    await expecting(office.ok('POST', `${office.ws}/approvals/${waitingFor}/decision`, json));
  }
}

/** The run may have ended or gone on meanwhile, and so may the question. */
async function expecting(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    const { code } = error as { code?: unknown };
    if (code !== 'wrong_status' && code !== 'already_decided' && code !== 'conflict') throw error;
  });
}
