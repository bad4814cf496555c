import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Database } from '../../kit/database/database.ts';
import { EVENT_MIGRATIONS } from '../../kit/database/event-log.ts';
import { migrate } from '../../kit/database/migrate.ts';
import { MIGRATIONS } from '../migrations.ts';
import { capStatement } from './caps.ts';
import { releaseStatement, reserveStatements } from './reservations.ts';
import type { Scope } from './schema.ts';
import { scopeOf } from './scopes.ts';
import { spendStatement } from './settling.ts';
import { readStates } from './states.ts';

/** The rule of reservations in SQL against a model of it in memory, over drawn histories of parallel runs. */

const AT = Date.UTC(2026, 10, 30);
const RUNS = ['run_0', 'run_1', 'run_2', 'run_3'];
/** Runs share scopes in every way: all of them, two by two, and alone. */
const SCOPES: readonly (readonly Scope[])[] = RUNS.map((id, index) =>
  [`run:${id}`, `agent:agt_${index % 2}`, 'workspace'].map((target) => scopeOf(target, AT)),
);
const TARGETS = [...new Set(SCOPES.flat().map(({ target }) => target))];

const directory = mkdtempSync(join(tmpdir(), 'reservations-'));
let database: Database;
beforeAll(async () => {
  database = await Database.open(`file:${join(directory, 'a.db')}`);
  await database.read({ sql: 'PRAGMA synchronous=OFF', args: [] });
  await migrate(database, EVENT_MIGRATIONS);
  await migrate(database, MIGRATIONS);
  for (const id of RUNS) {
    const row = {
      ...{ id, agentId: 'agt_1', agentName: 'qa', triggerKind: 'assignment', prompt: 'x', mode: 'chat' },
      ...{ profileVersion: 1, adapter: 'cc-harness', model: 'm', status: 'running', phase: 'live', epoch: 1 },
      ...{ liveness: 'progressing', tools: '[]', sandbox: 'none', createdAt: 1 },
    };
    const places = Object.keys(row).map(() => '?');
    const sql = `INSERT INTO runs (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`;
    await database.write('test', [{ sql, args: Object.values(row) }]);
  }
});
afterAll(() => {
  database.close();
  rmSync(directory, { recursive: true, force: true });
});

/** What the rule says, in memory: micro-dollars by scope. */
class Model {
  readonly caps = new Map<string, number>();
  readonly used = new Map<string, number>();
  readonly held = new Map<number, Map<string, number>>();

  capOf({ target, fallback }: Scope): number | undefined {
    return this.caps.get(target) ?? this.caps.get(fallback ?? '');
  }

  othersOf(run: number, scope: string): number {
    const others = [...this.held].filter(([other]) => other !== run);
    return others.reduce((sum, [, amounts]) => sum + (amounts.get(scope) ?? 0), 0);
  }

  reserve(run: number, amount: number): boolean {
    const capped = (SCOPES[run] ?? []).filter((scope) => this.capOf(scope) !== undefined);
    this.held.delete(run);
    const isIn = capped.every((scope) => {
      const [cap, used, others] = [
        this.capOf(scope) as number,
        this.used.get(scope.scope) ?? 0,
        this.othersOf(run, scope.scope),
      ];
      return used + others + amount <= cap || (used < cap && others === 0);
    });
    if (isIn) this.held.set(run, new Map(capped.map(({ scope }) => [scope, amount])));
    return isIn && capped.length > 0;
  }

  settle(run: number, cost: number): void {
    this.held.delete(run);
    for (const { scope } of SCOPES[run] ?? []) this.used.set(scope, (this.used.get(scope) ?? 0) + cost);
  }
}

type Step =
  | { kind: 'reserve'; run: number; amount: number }
  | { kind: 'settle'; run: number; share: number; isKnown: boolean }
  | { kind: 'cap'; target: string; capMicros: number };

const anyRun = fc.nat({ max: RUNS.length - 1 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('reserve'), run: anyRun, amount: fc.nat(60) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('settle'),
      run: anyRun,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      isKnown: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cap'),
      target: fc.constantFrom(...TARGETS, 'run'),
      capMicros: fc.integer({ min: 1, max: 200 }),
    }),
  },
) as fc.Arbitrary<Step>;

const holding = (run: number) => ({ runId: RUNS[run] ?? '', epoch: 1 });

async function apply(step: Step, model: Model): Promise<void> {
  if (step.kind === 'cap') {
    // What a new cap finds in flight was let through by none, so caps are raised here while nothing is.
    if ((model.caps.get(step.target) ?? 0) >= step.capMicros || model.held.size > 0) return;
    model.caps.set(step.target, step.capMicros);
    await database.write('test', [capStatement(step.target, step.capMicros, AT)]);
    return;
  }
  const scopes = SCOPES[step.run] ?? [];
  if (step.kind === 'reserve') {
    const statements = reserveStatements(holding(step.run), scopes, step.amount, AT);
    const [, reserved] = await database.write('test', statements);
    expect((reserved?.rowsAffected ?? 0) > 0).toBe(model.reserve(step.run, step.amount));
    return;
  }
  const held = model.held.get(step.run);
  if (held === undefined || held.size === 0) return;
  const boundMicros = Math.max(...held.values());
  const costMicros = Math.floor(boundMicros * step.share);
  const call = { scopes, boundMicros, runId: RUNS[step.run] ?? '', agentName: 'qa', conversationId: null };
  await database.write('test', [
    { sql: 'UPDATE runs SET prompt = prompt WHERE id = ?', args: [RUNS[step.run]] },
    spendStatement({ ...call, costMicros: step.isKnown ? costMicros : null }, AT),
    releaseStatement(holding(step.run)),
  ]);
  // What is unknown counts as much as it can have been.
  model.settle(step.run, step.isKnown ? costMicros : boundMicros);
}

test('no history of parallel runs passes a cap by more than one call, and none takes a part of what it needs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
      await database.write('test', [
        ...['budgets', 'budgetCaps', 'reservations'].map((name) => ({
          sql: `DELETE FROM ${name}`,
          args: [],
        })),
      ]);
      const model = new Model();
      for (const step of steps) {
        await apply(step, model);
        const states = await readStates(database, SCOPES.flat());
        for (const state of states) {
          const used = state.spentMicros + state.unknownMicros;
          expect(used).toBe(model.used.get(state.scope) ?? 0);
          expect(state.othersMicros).toBe(model.othersOf(-1, state.scope));
        }
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('a cap is passed by what one call costs at most, whatever the calls and their order', async () => {
  const anyCalls = fc.array(
    fc.record({ run: anyRun, bound: fc.nat(50), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
    {
      minLength: 20,
      maxLength: 60,
    },
  );
  await fc.assert(
    fc.asyncProperty(anyCalls, fc.integer({ min: 1, max: 120 }), async (calls, cap) => {
      const model = new Model();
      for (const target of TARGETS) model.caps.set(target, cap);
      const inFlight = new Map<number, number>();
      let dearest = 0;
      for (const { run, bound, share } of calls) {
        const flying = inFlight.get(run);
        if (flying !== undefined) {
          model.settle(run, Math.floor(flying * share));
          inFlight.delete(run);
        } else if (model.reserve(run, bound)) {
          inFlight.set(run, bound);
          dearest = Math.max(dearest, bound);
        }
      }
      for (const [run, bound] of inFlight) model.settle(run, bound);
      for (const { scope } of SCOPES.flat())
        expect(model.used.get(scope) ?? 0).toBeLessThanOrEqual(cap + dearest);
    }),
    { numRuns: 300 },
  );
});
