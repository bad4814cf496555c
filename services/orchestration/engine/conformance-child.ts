import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPointHook } from '../../commit-points.ts';
import { WorkspaceDatabases } from '../../kit/database/workspace-databases.ts';
import { Wakes } from '../../kit/wakes.ts';
import { MIGRATIONS } from '../migrations.ts';
import { planOf, RUN, step, WORKSPACE } from './conformance-bench.ts';
import type { StepContext, StepHost, StepResult } from './engine.ts';
import type { EngineFactory } from './engine-factory.ts';
import { StoredOutputs } from './stored-outputs.ts';

/** A process of the kill tests: works on one plan until it is over, or dies at the commit point it is told. */
const [dataDir = '', factoryModule = '', crashAt = '', pointLog = ''] = process.argv.slice(2);

const onPoint = createPointHook(crashAt || null, pointLog || null);
const databases = new WorkspaceDatabases({ dataDir, migrations: [MIGRATIONS], wakes: new Wakes(), onPoint });
const outputs = new StoredOutputs(databases, Date.now);
const { createEngine } = (await import(factoryModule)) as { createEngine: EngineFactory };

const host: StepHost = {
  begin: (run, key) => outputs.begin(run, key),
  commit: (run, key, fence, output) => outputs.commit(run, key, fence, output),
  execute,
};

/** Steps named `raw…` have an effect that nobody de-duplicates; the others' outside knows the key. */
async function execute(context: StepContext): Promise<StepResult> {
  if (context.step.startsWith('agent') && !context.received) {
    takeEffect(`${context.key}.asked`);
    return { kind: 'suspend', gate: `run-${context.step}` };
  }
  if (context.step === 'left') return { kind: 'skipped', message: 'left out' };
  if (context.step.startsWith('raw')) appendFileSync(join(dataDir, 'raw.log'), `${context.key}\n`);
  else takeEffect(context.key);
  onPoint?.(`effect.${context.step}:after`);
  return { kind: 'done', output: context.received?.payload ?? context.step };
}

function takeEffect(key: string): void {
  try {
    writeFileSync(join(dataDir, `effect-${key.replaceAll('/', '_')}`), '', { flag: 'wx' });
    appendFileSync(join(dataDir, 'effects.log'), `${key}\n`);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
}

await databases.create(WORKSPACE);
const engine = createEngine({
  databases,
  host,
  clock: Date.now,
  concurrency: 4,
  leaseMs: 30_000,
  retryBaseMs: 5,
});
const plan = [
  ...[step('first'), step('agent-a', ['first']), step('agent-b', ['first'])],
  step('raw', ['first'], { idempotent: false }),
  step('left', ['agent-a']),
  step('collect', ['agent-a', 'agent-b', 'raw', 'left'], { tolerateFailure: true }),
  step('last', ['collect']),
];
await engine.start(planOf(plan));
for (const key of ['agent-a', 'agent-b']) await engine.signal(RUN, `run-${key}`, `answer to ${key}`);

const database = await databases.open(WORKSPACE);
for (;;) {
  const woken = databases.wakes.wait(WORKSPACE, 50);
  const sql = `SELECT r.status, (SELECT count(*) FROM steps WHERE state = 'parked') AS parked FROM pipelineRuns r`;
  const [row] = await database.read({ sql, args: [] });
  // Nobody else is here to decide about a step that waits for a person.
  if (Number(row?.parked) > 0) await engine.skip(RUN, 'raw');
  else if (row?.status !== 'running') break;
  else await woken;
}
await engine.stop();
await databases.close();
