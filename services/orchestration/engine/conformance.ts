import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { Fault } from '../../kit/fault.ts';
import { type Body, ConformanceBench, planOf, RUN, step, WORKSPACE } from './conformance-bench.ts';
import type { StepContext, StepResult } from './engine.ts';
import type { EngineFactory } from './engine-factory.ts';

const done = (output: unknown = null): StepResult => ({ kind: 'done', output });

/** Suspends at a gate named after the step, and ends with what came through it. */
const atGate: Body = async ({ step: key, received }: StepContext) =>
  received ? done(received.payload) : { kind: 'suspend', gate: `gate-${key}` };

/** What every engine must do, whatever it is built on. Deaths of the process are in conformance-kill.ts. */
export function engineConformance(name: string, create: EngineFactory): void {
  setDefaultTimeout(30_000);
  describe(name, () => {
    let bench: ConformanceBench;
    beforeEach(() => {
      bench = new ConformanceBench(create);
    });
    afterEach(() => bench.close());

    orderTests(() => bench);
    gateTests(() => bench);
    failureTests(() => bench);
    controlTests(() => bench);
    amendTests(() => bench);
    ownershipTests(() => bench);
  });
}

function orderTests(of: () => ConformanceBench): void {
  test('runs each step once, after all that it needs', async () => {
    const bench = of();
    const engine = await bench.open(async ({ step: key }) => done(key));
    const plan = planOf([step('a'), step('b', ['a']), step('c', ['a']), step('d', ['b', 'c'])]);
    await Promise.all([engine.start(plan), engine.start(plan)]);
    await bench.statusIs('completed');
    expect(bench.calls.toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect([bench.calls[0], bench.calls[3]]).toEqual(['a', 'd']);
    expect((await bench.outputs.read(RUN, ['d'])).get('d')).toBe('d');
  });

  test('runs what does not depend on each other at once, up to the limit', async () => {
    const bench = of();
    let [running, most] = [0, 0];
    const { promise: three, resolve } = Promise.withResolvers<void>();
    const engine = await bench.open(
      async () => {
        most = Math.max(most, ++running);
        if (running === 3) resolve();
        await three;
        running--;
        return done();
      },
      { concurrency: 3 },
    );
    await engine.start(planOf(Array.from({ length: 12 }, (_, i) => step(`s${i}`))));
    await bench.statusIs('completed');
    expect(most).toBe(3);
  });

  test('lets a small run of one workspace through while a large one of another is going', async () => {
    const bench = of();
    const engine = await bench.open(async () => done(), { concurrency: 1 }, [WORKSPACE, 'ws_small']);
    const small = { workspaceId: 'ws_small', runId: 'plr_small' };
    await engine.start(planOf(Array.from({ length: 150 }, (_, i) => step(`s${i}`))));
    await engine.start(planOf([step('only')], small));
    await bench.until('the small run is done', async () => (await bench.status(small)) === 'completed');
    expect(await bench.status()).toBe('running');
    await bench.statusIs('completed');
  });
}

function gateTests(of: () => ConformanceBench): void {
  test('a waiting step goes on with the signal, and only the first one counts', async () => {
    const bench = of();
    const engine = await bench.open(atGate);
    await engine.start(planOf([step('a'), step('b', ['a'])]));
    await bench.stateIs('a', 'waiting');
    expect(await engine.signal(RUN, 'gate-a', { n: 1 })).toBe(true);
    expect(await engine.signal(RUN, 'gate-a', { n: 2 })).toBe(false);
    await bench.stateIs('b', 'waiting');
    expect((await bench.outputs.read(RUN, ['a'])).get('a')).toEqual({ n: 1 });
  });

  test('a signal that comes before the step waits is not lost', async () => {
    const bench = of();
    const { promise: signalled, resolve } = Promise.withResolvers<void>();
    const engine = await bench.open(async (context) => {
      await signalled;
      return atGate(context);
    });
    await engine.start(planOf([step('a')]));
    await bench.stateIs('a', 'running');
    expect(await engine.signal(RUN, 'gate-a', 'early')).toBe(true);
    resolve();
    await bench.statusIs('completed');
    expect((await bench.outputs.read(RUN, ['a'])).get('a')).toBe('early');
  });

  test('a signal for a run that is over or unknown is refused', async () => {
    const bench = of();
    const engine = await bench.open(async () => done());
    await engine.start(planOf([step('a')]));
    await bench.statusIs('completed');
    expect(await engine.signal(RUN, 'late', 1)).toBe(false);
    expect(await engine.signal({ workspaceId: WORKSPACE, runId: 'plr_none' }, 'late', 1)).toBe(false);
  });
}

function failureTests(of: () => ConformanceBench): void {
  test('a failure skips what needs it, with the reason, and not its siblings', async () => {
    const bench = of();
    const engine = await bench.open(async ({ step: key }) =>
      key === 'bad' ? { kind: 'failed', message: 'no luck' } : done(),
    );
    const plan = [
      step('bad'),
      step('next', ['bad']),
      step('last', ['next']),
      step('good'),
      step('after', ['good']),
    ];
    await engine.start(planOf(plan));
    await bench.statusIs('failed');
    expect(await bench.states()).toEqual({
      bad: 'failed',
      next: 'skipped',
      last: 'skipped',
      good: 'done',
      after: 'done',
    });
    expect((await bench.steps()).next?.error).toContain('bad');
    expect((await bench.steps()).bad?.error).toBe('no luck');
  });

  test('a step that tolerates failure runs when all its needs are settled', async () => {
    const bench = of();
    const engine = await bench.open(async ({ step: key }) =>
      key === 'bad' ? { kind: 'failed', message: 'no luck' } : done(),
    );
    const collect = step('collect', ['next', 'good'], { tolerateFailure: true });
    await engine.start(
      planOf([step('bad'), step('next', ['bad']), step('good'), collect, step('end', ['collect'])]),
    );
    await bench.statusIs('completed');
    expect(await bench.states()).toEqual({
      bad: 'failed',
      next: 'skipped',
      good: 'done',
      collect: 'done',
      end: 'done',
    });
  });

  test('a step that its body gives up is skipped, and what needs it goes on without, each after all that it needs', async () => {
    const bench = of();
    const engine = await bench.open(async ({ step: key }) =>
      key === 'left' ? { kind: 'skipped', message: 'left out' } : done(),
    );
    await engine.start(
      planOf([step('a'), step('left', ['a']), step('next', ['left']), step('end', ['next'])]),
    );
    await bench.statusIs('completed');
    expect(await bench.states()).toEqual({ a: 'done', left: 'skipped', next: 'done', end: 'done' });
    expect((await bench.steps()).left?.error).toBe('left out');
    expect(bench.calls).toEqual(['a', 'left', 'next', 'end']);
    expect((await bench.outputs.read(RUN, ['left'])).size).toBe(0);
    await expect(engine.retry(RUN, 'left')).rejects.toMatchObject({ code: 'wrong_status' });
  });

  test('a body that throws is tried again after a while, each time under the same key', async () => {
    const bench = of();
    const keys: string[] = [];
    const engine = await bench.open(async ({ key, attempt }) => {
      keys.push(key);
      if (attempt < 3) throw new Error('not yet');
      return done();
    });
    await engine.start(planOf([step('a')]));
    await bench.statusIs('completed');
    expect(keys).toEqual(Array(3).fill(`${RUN.runId}/a`));
  });

  test('takes up what becomes due while it looks, whenever that is', async () => {
    const bench = of();
    let looks = 0;
    const clock = () => Date.now() + 4 * looks++;
    const engine = await bench.open(
      async ({ attempt }) => {
        if (attempt < 8) throw new Error('not yet');
        return done();
      },
      { clock, retryBaseMs: 1 },
    );
    await engine.start(planOf([step('a', [], { maxAttempts: 8 })]));
    await bench.statusIs('completed');
  });

  test('fails when the attempts are used up, or at once when another try is pointless', async () => {
    const bench = of();
    const engine = await bench.open(async ({ step: key }) => {
      throw key === 'a' ? new Error('again and again') : new Fault('not_found', 'It is gone.');
    });
    await engine.start(planOf([step('a'), step('b')]));
    await bench.statusIs('failed');
    expect(await bench.steps()).toMatchObject({
      a: { state: 'failed', attempt: 3, error: 'again and again' },
      b: { state: 'failed', attempt: 1, error: 'It is gone.' },
    });
  });

  test('a body that takes too long is aborted and counts as failed', async () => {
    const bench = of();
    let aborted = 0;
    const engine = await bench.open(({ signal }) => {
      signal.addEventListener('abort', () => aborted++);
      return new Promise<StepResult>(() => undefined);
    });
    await engine.start(planOf([step('a', [], { timeoutMs: 30, maxAttempts: 2 })]));
    await bench.statusIs('failed');
    expect(aborted).toBe(2);
    expect((await bench.steps()).a?.error).toContain('30 ms');
  });
}

function controlTests(of: () => ConformanceBench): void {
  test('cancel aborts running bodies at once, and nothing of them counts', async () => {
    const bench = of();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { promise: aborted, resolve: onAbort } = Promise.withResolvers<void>();
    const engine = await bench.open(async ({ signal, step: key }) => {
      if (key === 'gate') return { kind: 'suspend', gate: 'g' };
      signal.addEventListener('abort', () => onAbort());
      await mayEnd;
      return done('too late');
    });
    await engine.start(planOf([step('a'), step('gate'), step('b', ['a'])]));
    await bench.stateIs('a', 'running');
    await bench.stateIs('gate', 'waiting');
    await engine.cancel(RUN);
    await aborted;
    end();
    await engine.cancel(RUN);
    expect(await bench.status()).toBe('cancelled');
    expect(await bench.states()).toEqual({ a: 'cancelled', gate: 'cancelled', b: 'cancelled' });
    expect(await engine.signal(RUN, 'g', 1)).toBe(false);
    expect((await bench.outputs.read(RUN, ['a'])).size).toBe(0);
  });

  test('a suspended run starts nothing, keeps what ends and what is signalled, and goes on when resumed', async () => {
    const bench = of();
    const engine = await bench.open(async (context) => (context.step === 'a' ? atGate(context) : done()));
    await engine.start(planOf([step('a'), step('b', ['a'])]));
    await bench.stateIs('a', 'waiting');
    await engine.suspend(RUN);
    expect(await engine.signal(RUN, 'gate-a', 'kept')).toBe(true);
    await engine.start(planOf([step('x')], { workspaceId: WORKSPACE, runId: 'plr_other' }));
    await bench.until(
      'another run is done',
      async () => (await bench.status({ workspaceId: WORKSPACE, runId: 'plr_other' })) === 'completed',
    );
    expect([await bench.status(), (await bench.states()).a]).toEqual(['suspended', 'ready']);
    await engine.resume(RUN);
    await bench.statusIs('completed');
    expect((await bench.outputs.read(RUN, ['a'])).get('a')).toBe('kept');
  });

  test('a run whose last step ended while it was suspended ends when it is resumed', async () => {
    const bench = of();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const engine = await bench.open(async () => {
      await mayEnd;
      return done();
    });
    await engine.start(planOf([step('a')]));
    await bench.stateIs('a', 'running');
    await engine.suspend(RUN);
    end();
    await bench.stateIs('a', 'done');
    expect(await bench.status()).toBe('suspended');
    await engine.resume(RUN);
    await bench.statusIs('completed');
  });
}

function amendTests(of: () => ConformanceBench): void {
  test('a failed step is retried under a new key, and what it held up runs after it', async () => {
    const bench = of();
    const keys: string[] = [];
    const engine = await bench.open(async ({ key, round }) => {
      keys.push(key);
      return round === 1 && key.endsWith('/bad') ? { kind: 'failed', message: 'no luck' } : done();
    });
    await engine.start(planOf([step('bad'), step('next', ['bad'])]));
    await bench.statusIs('failed');
    await engine.retry(RUN, 'bad');
    await bench.statusIs('completed');
    expect(keys).toEqual([`${RUN.runId}/bad`, `${RUN.runId}/bad/2`, `${RUN.runId}/next`]);
    expect(engine.retry(RUN, 'bad')).rejects.toMatchObject({ code: 'wrong_status' });
  });

  test('a failed step is skipped, and what needs it goes on without', async () => {
    const bench = of();
    const engine = await bench.open(async ({ step: key }) =>
      key === 'bad' ? { kind: 'failed', message: 'no luck' } : done(),
    );
    await engine.start(planOf([step('bad'), step('worse', ['bad']), step('end', ['worse'])]));
    await bench.statusIs('failed');
    await engine.skip(RUN, 'bad');
    await bench.statusIs('completed');
    expect(await bench.states()).toEqual({ bad: 'skipped', worse: 'done', end: 'done' });
  });

  test('what went on in spite of a failure cannot be taken back by a retry', async () => {
    const bench = of();
    const engine = await bench.open(async (context) => {
      if (context.step === 'bad') return { kind: 'failed', message: 'no luck' };
      return context.step === 'end' ? atGate(context) : done();
    });
    const collect = step('collect', ['bad'], { tolerateFailure: true });
    await engine.start(planOf([step('bad'), collect, step('end', ['collect'])]));
    await bench.stateIs('end', 'waiting');
    await expect(engine.retry(RUN, 'bad')).rejects.toMatchObject({ code: 'wrong_status' });
    await expect(engine.skip(RUN, 'ghost')).rejects.toMatchObject({ code: 'not_found' });
    expect(await bench.states()).toEqual({ bad: 'failed', collect: 'done', end: 'waiting' });
  });
}

function ownershipTests(of: () => ConformanceBench): void {
  test('a new owner goes on with what the old one had in flight, and the old one’s result is void', async () => {
    const bench = of();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const first = await bench.open(async () => {
      begin();
      await mayEnd;
      return done('old');
    });
    await first.start(planOf([step('a'), step('b', ['a'])]));
    await hasBegun;
    const second = await bench.open(async () => done('new'));
    await second.start(planOf([step('x')], { workspaceId: WORKSPACE, runId: 'plr_other' }));
    await bench.statusIs('completed');
    end();
    expect((await bench.outputs.read(RUN, ['a'])).get('a')).toBe('new');
    expect(bench.calls.toSorted()).toEqual(['a', 'a', 'b', 'x']);
  });

  test('a body whose lease ran out is taken up again; one that may not run twice waits for a person', async () => {
    const bench = of();
    let nowMs = 1_000_000;
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const engine = await bench.open(
      async ({ step: key, fence }) => {
        if (fence === 1 || key === 'once') await mayEnd;
        return done(fence);
      },
      { clock: () => nowMs, leaseMs: 60_000 },
    );
    await engine.start(planOf([step('a'), step('once', [], { idempotent: false })]));
    await bench.stateIs('a', 'running');
    await bench.stateIs('once', 'running');
    nowMs += 61_000;
    bench.databases.wakes.wake(WORKSPACE);
    await bench.stateIs('a', 'done');
    await bench.stateIs('once', 'parked');
    end();
    expect((await bench.outputs.read(RUN, ['a', 'once'])).get('a')).toBe(2);
    expect(await bench.status()).toBe('running');
    await engine.retry(RUN, 'once');
    await bench.statusIs('completed');
  });
}
