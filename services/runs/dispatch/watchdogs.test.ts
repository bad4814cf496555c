import { afterEach, describe, expect, test } from 'bun:test';
import type { ModelScript, ScriptedTurn } from '../../../test/model/script.ts';
import type { RunsDeps } from '../deps.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import { calls, dialogues, onWord } from '../test-dialogues.ts';

let bench: Bench;
afterEach(() => bench.close());

const MINUTE_MS = 60_000;
const at = (id: string, verb = '') => `${WORKSPACE}/runs/${id}${verb}`;
const look = (process: Process, id: string) => process.json<Run>('GET', at(id));
const ended = (process: Process, id: string) =>
  until(
    () => look(process, id),
    ({ endedAt }) => endedAt !== null,
  );

async function begin(script: ModelScript, deps: Partial<RunsDeps> = {}, more: Record<string, unknown> = {}) {
  bench = await createBench(script);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
  const process = await bench.process({ deps });
  const { id } = await process.createRun({ agentId, conversationId: conversation.id, ...more });
  return { process, id, conversation };
}

/** The server asks for more patience than a run has, so that it pauses at the first try. */
const busy = (times: number, text = 'Done.'): ScriptedTurn => ({
  text,
  fault: { kind: 'status', status: 429, errorType: 'rate_limit_error', retryAfterSeconds: 3_600, times },
});

describe('a run that trouble of the model has paused', () => {
  test('goes on by itself after a minute, two, five, and so on; an answer begins anew', async () => {
    const delays: number[] = [];
    const { process, id } = await begin(turns({ ...busy(2), ...calls(['list_agents', {}]) }, busy(1)), {
      resumeDelaysMs: [300, 600, 900],
    });
    expect(await ended(process, id)).toMatchObject({ status: 'completed', resumeAt: null });
    for (const { at: pausedAt, data } of await bench.events('run.paused')) {
      delays.push(Number(data.resumeAt) - pausedAt);
      expect(data.summary).toContain('It goes on by itself at 20');
    }
    expect(delays.map((delay) => Math.round(delay / 300))).toEqual([1, 2, 1]);
    const resumed = await bench.events('run.resumed');
    expect(resumed.map(({ actor, data }) => [actor, data])).toEqual(
      Array(3).fill(['service:runs', { automatic: true }]),
    );
  });

  test('says when it goes on, and goes on at once when a person says so', async () => {
    const { process, id } = await begin(turns(busy(1)));
    const paused = await process.settled(id);
    expect(paused).toMatchObject({ status: 'paused', errorFamily: 'rateLimited' });
    expect(Math.round(((paused.resumeAt ?? 0) - Date.now()) / MINUTE_MS)).toBe(1);
    await process.json('POST', at(id, '/resume'));
    expect(await ended(process, id)).toMatchObject({ status: 'completed' });
  });

  test('goes on in the next process when this one is gone', async () => {
    const { process, id } = await begin(turns(busy(1)), { resumeDelaysMs: [400] });
    await process.settled(id);
    await process.stop();
    const next = await bench.process();
    expect(await ended(next, id)).toMatchObject({ status: 'completed' });
  });

  test('waits for a person once a person has paused it', async () => {
    const { process, id } = await begin(turns(busy(1)), { resumeDelaysMs: [300] });
    await process.settled(id);
    expect(await process.json('POST', at(id, '/pause'))).toMatchObject({ resumeAt: null, status: 'paused' });
    const database = await process.databases.open(WORKSPACE);
    const due = await database.read({ sql: 'SELECT 1 FROM runs WHERE resumeAt IS NOT NULL', args: [] });
    expect(due).toEqual([]);
    await process.json('POST', at(id, '/resume'));
    expect(await ended(process, id)).toMatchObject({ status: 'completed' });
  });

  test('no longer goes on by itself after a day of it', async () => {
    let now = Date.now();
    const clock = () => now;
    const { process, id } = await begin(turns(busy(2)), { clock, resumeDelaysMs: [20, 24 * 60 * MINUTE_MS] });
    await until(
      () => bench.events('run.paused'),
      (events) => events.length === 1,
    );
    now += 1_000;
    const paused = await until(
      async () => ((await bench.events('run.paused')).length === 2 ? look(process, id) : null),
      (run) => run?.status === 'paused',
    );
    expect(paused).toMatchObject({ resumeAt: null });
    expect(paused?.summary).toContain('for a day');
  });
});

describe('a run that is silent', () => {
  test('for half of what it may is stalled, and is not any more when it is heard', async () => {
    bench = await createBench(turns({ text: 'Done.', delayMs: 700 }));
    const { id: agentId } = bench.spaces.addAgent('engineer', { silenceTimeoutMinutes: 1_000 / MINUTE_MS });
    const process = await bench.process();
    const { id } = await process.createRun({ agentId });
    await until(
      () => look(process, id),
      ({ liveness }) => liveness === 'stalled',
    );
    expect(await ended(process, id)).toMatchObject({ status: 'completed', liveness: 'progressing' });
    const told = (await bench.events('run.liveness')).map(({ data }) => data.liveness);
    expect(told).toEqual(['stalled', 'progressing']);
  });

  test('because it waits for a person is waiting, however long that takes', async () => {
    const script = dialogues(
      onWord('ask', calls(['ask_user', { question: 'Well?' }]), { text: 'Done.' }),
      onWord('think', { text: 'Too late.', delayMs: 10_000 }),
    );
    bench = await createBench(script);
    const { id: agentId } = bench.spaces.addAgent('engineer', { silenceTimeoutMinutes: 300 / MINUTE_MS });
    const process = await bench.process();
    const { id } = await process.createRun({ agentId, prompt: 'ask' });
    const { waitingFor } = await process.settled(id);
    // Another that is as silent and waits for nobody is stopped meanwhile.
    const other = await process.createRun({ agentId, prompt: 'think' });
    expect(await ended(process, other.id)).toMatchObject({ status: 'failed', errorFamily: 'inactivity' });
    expect(await look(process, id)).toMatchObject({ status: 'running', liveness: 'waiting' });
    await bench.spaces.decide(waitingFor as string, 'approved', { answer: 'Yes' });
    expect(await ended(process, id)).toMatchObject({ status: 'completed' });
  });
});

describe('a run with which servers go down', () => {
  const crash = async (process: Process, id: string) => {
    // As after kill -9: the row stays live, and the process writes nothing more.
    await until(
      () => look(process, id),
      ({ status }) => status === 'running',
    );
  };

  test('five times without a step of it in between is ended as dead by the sixth start', async () => {
    const { process, id } = await begin(turns({ text: 'Done.', delayMs: 10_000 }));
    let current = process;
    for (let death = 1; death <= 5; death++) {
      await crash(current, id);
      current = await bench.process();
    }
    const dead = await ended(current, id);
    expect(dead).toMatchObject({ status: 'failed', liveness: 'dead', errorFamily: 'crashed' });
    expect(dead.summary).toContain('went down 5 times');
  });

  test('but comes a step further in between goes on, though it has no answer', async () => {
    const touch = (n: number) =>
      ['run_command', { command: `touch step${n}; sleep 0.1` }] as [string, object];
    const { process, id } = await begin(turns(calls(...[1, 2, 3, 4, 5, 6, 7].map(touch)), { text: 'Done.' }));
    let current = process;
    for (let steps = 1; steps <= 6; steps++) {
      await until(
        () => bench.events('run.tool'),
        (events) => events.filter(({ data }) => data.state === 'started').length >= steps,
      );
      current = await bench.process();
    }
    expect(await ended(current, id)).toMatchObject({ status: 'completed' });
  });

  test('beside others stays the only one: those are tried one at a time, and those that get on are kept', async () => {
    const script = dialogues(
      onWord('deadly', { text: 'Never.', delayMs: 60_000 }),
      onWord('harmless', { text: 'Done.', delayMs: 500 }),
    );
    const { process, id } = await begin(script, {}, { prompt: 'deadly' });
    const agentId = (await look(process, id)).agentId;
    const others = await Promise.all(
      [1, 2, 3].map((n) => process.createRun({ agentId, prompt: 'harmless', key: `harmless ${n}` })),
    );
    let current = process;
    const isLive = async (run: string) => {
      const database = await current.databases.open(WORKSPACE);
      const [row] = await database.read({ sql: 'SELECT phase FROM runs WHERE id = ?', args: [run] });
      return row?.phase === 'live';
    };
    // Each server goes down as soon as it has the deadly one at work.
    for (let death = 1; death <= 5; death++) {
      await until(
        () => isLive(id),
        (live) => live,
      );
      current = await bench.process();
    }
    expect(await ended(current, id)).toMatchObject({ status: 'failed', liveness: 'dead' });
    for (const other of others) {
      expect(await ended(current, other.id)).toMatchObject({ status: 'completed' });
    }
  });

  test('is not one whose server stops in good order just as it takes the run from the queue', async () => {
    bench = await createBench(turns({ text: 'Done.', delayMs: 500 }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const process = await bench.process();
    const database = await process.databases.open(WORKSPACE);
    const write = database.write.bind(database);
    let stopping: Promise<void> | null = null;
    let isQueued = false;
    database.write = async (label, statements) => {
      if (label === 'run.create') isQueued = true;
      if (label === 'run.claim' && isQueued) {
        stopping ??= process.service.stop();
        // As a disk would that is slow just then.
        await Bun.sleep(300);
      }
      return write(label, statements);
    };
    const { id } = await process.createRun({ agentId });
    await until(
      async () => stopping,
      (one) => one !== null,
    );
    await stopping;
    const read = { sql: 'SELECT phase, startedAt FROM runs WHERE id = ?', args: [id] };
    expect(await database.read(read)).toEqual([{ phase: 'queued', startedAt: null }]);
  });

  test('but answers in between goes on; and a server that stops in good order does not count', async () => {
    const step = (n: number) => ({ ...calls(['search_files', { pattern: `p${n}` }]), delayMs: 150 });
    const { process, id } = await begin(turns(step(1), step(2), step(3), step(4), { text: 'Done.' }));
    let current = process;
    for (let answers = 1; answers <= 4; answers++) {
      await until(
        () => bench.events('run.answered'),
        (events) => events.length >= answers,
      );
      current = await bench.process();
    }
    for (let stop = 1; stop <= 4; stop++) {
      await current.stop();
      current = await bench.process();
    }
    expect(await ended(current, id)).toMatchObject({ status: 'completed' });
  });
});

describe('the turns of a run', () => {
  test('are limited by what it says, or its agent', async () => {
    bench = await createBench({
      ...{ name: 'test', dialogues: [] },
      otherwise: ({ messages }) => calls(['search_files', { pattern: `p${messages.length}` }]),
    });
    const { id: agentId } = bench.spaces.addAgent('engineer', { maxTurns: 4 });
    const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
    const process = await bench.process();
    const own = await process.createRun({ agentId, conversationId: conversation.id, maxTurns: 2 });
    expect(await ended(process, own.id)).toMatchObject({
      status: 'failed',
      errorFamily: 'silentRun',
      maxTurns: 2,
    });
    expect((await bench.events('run.answered')).length).toBe(2);
    const usual = await process.createRun({ agentId, conversationId: conversation.id });
    await ended(process, usual.id);
    expect((await bench.events('run.answered')).length).toBe(6);
    const wrong = { agentId, trigger: { kind: 'assignment' }, prompt: 'x', maxTurns: 1_001 };
    expect((await process.call('POST', `${WORKSPACE}/runs`, wrong)).status).toBe(400);
  });
});
