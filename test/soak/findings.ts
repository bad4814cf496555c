import type { Json } from '../e2e/world.ts';
import type { Office } from './office.ts';
import type { Log, Posted } from './people.ts';

/** What does not hold after everything has come to rest; empty when all of it does. */
export async function findingsOf(office: Office, log: Log): Promise<string[]> {
  const runs = await office.all(`${office.ws}/runs`);
  const steered = await steeredMessages(office);
  const found: string[] = runs
    .filter(({ endedAt }) => endedAt === null)
    .map((run) => `has not ended: ${shown(run)}`);
  const woken = Map.groupBy(runs, ({ trigger }) => trigger.id as string);
  for (const room of office.rooms) {
    const messages = await office.all(`${office.ws}/conversations/${room.conversationId}/messages`);
    const finals = Map.groupBy(
      messages.filter(({ kind, data }) => kind === 'text' && data.runId),
      ({ data }) => data.runId as string,
    );
    const unread = new Set(
      messages.filter(({ kind }) => kind === 'notice').map(({ data }) => data.messageId),
    );
    const posted = log.posted.filter((message) => message.room === room);
    found.push(...posted.flatMap((message) => fateOf(message, woken, steered.byMessage, unread)));
    const own = runs.filter(
      ({ conversationId, parentRunId }) => conversationId === room.conversationId && !parentRunId,
    );
    found.push(...own.flatMap((run) => wordsOf(run, finals, steered.byRun.get(run.id) ?? 0)));
  }
  return found;
}

/** Each message was read by one run, or is said not to have been. */
function fateOf(
  message: Posted,
  woken: ReadonlyMap<string, Json[]>,
  steered: ReadonlyMap<string, number>,
  unread: ReadonlySet<string>,
): string[] {
  const runs = woken.get(message.id)?.length ?? 0;
  const reads = runs + (steered.get(message.id) ?? 0);
  if (reads === 1 || (reads === 0 && unread.has(message.id))) return [];
  return [
    `message ${message.id}${message.isSteer ? ' (steer)' : ''} was read ${reads} times, by ${runs} runs of its own`,
  ];
}

/**
 * A run that was completed has said so once, and once more for each time that a message kept it from ending. One that
 * failed has said nothing as its result; one that was cancelled may have, just before.
 */
function wordsOf(run: Json, finals: ReadonlyMap<string, Json[]>, reads: number): string[] {
  const said = finals.get(run.id)?.length ?? 0;
  const least = run.status === 'completed' && run.output?.text ? 1 : 0;
  const most = run.status === 'failed' ? reads : 1 + reads;
  return said >= least && said <= most
    ? []
    : [`said its result ${said} times, not ${least} to ${most}: ${shown(run)}`];
}

function shown({ id, status, liveness, errorFamily, summary, waitingFor }: Json): string {
  return JSON.stringify({ id, status, liveness, errorFamily, waitingFor, summary });
}

interface Steered {
  byMessage: Map<string, number>;
  byRun: Map<string, number>;
}

async function steeredMessages(office: Office): Promise<Steered> {
  const steered: Steered = { byMessage: new Map(), byRun: new Map() };
  for (let after: string | null = '0'; after !== null; ) {
    const page: Json = await office.ok('GET', `${office.ws}/events?after=${after}&limit=1000`);
    for (const { data, subject } of (page.items as Json[]).filter(({ type }) => type === 'run.steered')) {
      addOne(steered.byMessage, data.messageId);
      addOne(steered.byRun, subject);
    }
    after = page.next;
  }
  return steered;
}

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** What the runs cost together and what the month's budget says was spent. */
export async function moneyFindings(office: Office): Promise<string[]> {
  const runs = await office.all(`${office.ws}/runs`);
  const known = runs.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0);
  const { items } = await office.ok('GET', `${office.ws}/budgets`);
  const workspace = (items as Json[]).find(({ scope }) => String(scope).startsWith('workspace/'));
  if (workspace?.spentMicros === known) return [];
  return [`runs cost ${known} micro-dollars, the workspace's budget says ${workspace?.spentMicros}`];
}
