import { afterEach, expect, test } from 'bun:test';
import type { Entry } from '../harness/journal.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import { calls } from '../test-dialogues.ts';

let bench: Bench;
afterEach(() => bench?.close());

const WRITES = { ...calls(['list_agents', {}]), delayMs: 100 };
const SCRIPTS = {
  'reads it': turns(WRITES, { text: 'Done.' }),
  'fails before it reads it': turns({ text: 'No.', stopReason: 'refusal', delayMs: 100 }),
};

/** An agent is at work and is told something, in a process that dies at the given point, if it is given. */
async function begin(script: keyof typeof SCRIPTS, killAt?: number) {
  bench = await createBench(SCRIPTS[script]);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const { id: conversationId } = bench.spaces.addConversation('chat');
  await bench.spaces.say(conversationId, 'start', [agentId]);
  const process = await bench.process(killAt === undefined ? {} : { killAt });
  const isDead = () => killAt !== undefined && process.points.length >= killAt;
  await until(
    async () => bench.model.requests.length > 0 || isDead(),
    (isThere) => isThere,
  );
  const messageId = await bench.spaces.say(conversationId, 'In blue.', [agentId]);
  return { process, agentId, messageId };
}

/** Every run that there is has ended, and the message was dealt with. */
async function allOver(messageId: string): Promise<boolean> {
  const events = await bench.events();
  const count = (type: string) => events.filter((event) => event.type === type).length;
  const isRead = events.some(({ type, data }) => type === 'run.steered' && data.messageId === messageId);
  const hasOwn = events.some(
    ({ type, data }) => type === 'run.created' && String(data.key).startsWith(`message:${messageId}`),
  );
  return (isRead || hasOwn) && count('run.ended') === count('run.created');
}

async function timesTold(process: Process, messageId: string): Promise<number> {
  const { items } = await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs`);
  const own = items.filter(({ trigger }) => trigger.id === messageId).length;
  const entries = await Promise.all(
    items.map(({ id }) =>
      process.json<{ items: { entry: Entry }[] }>('GET', `${WORKSPACE}/runs/${id}/entries?limit=500`),
    ),
  );
  const read = entries
    .flatMap((page) => page.items)
    .filter(({ entry }) => entry.kind === 'user' && entry.cause === 'message').length;
  return own + read;
}

for (const script of ['reads it', 'fails before it reads it'] as const) {
  test(`what an agent at work is told is told once, whichever commit the process dies at: the run ${script}`, async () => {
    const rehearsal = await begin(script);
    await until(() => allOver(rehearsal.messageId), Boolean);
    expect(await timesTold(rehearsal.process, rehearsal.messageId)).toBe(1);
    const { points } = rehearsal.process;
    await bench.close();
    const essential = /^run\.(create|message|steer|answer|end):/;
    const kills = [...points.keys()].filter((index) => essential.test(points[index] as string));
    const seen = new Set(kills.map((index) => points[index]));
    for (const killAt of kills) {
      const { process, messageId } = await begin(script, killAt);
      await until(async () => process.points.length >= killAt || (await allOver(messageId)), Boolean);
      await process.atRest();
      const next = await bench.process();
      await until(() => allOver(messageId), Boolean);
      expect([killAt, points[killAt], await timesTold(next, messageId)]).toEqual([killAt, points[killAt], 1]);
      expect(bench.model.requests.filter(({ problem }) => problem !== null)).toEqual([]);
      await Promise.all([process.stop(), next.stop()]);
      await bench.close();
    }
    const labels =
      script === 'reads it' ? ['run.message', 'run.steer', 'run.end'] : ['run.message', 'run.create'];
    for (const label of labels) {
      expect([label, seen.has(`${label}:before`), seen.has(`${label}:after`)]).toEqual([label, true, true]);
    }
  }, 120_000);
}
