import { Hono } from 'hono';
import type { Clock } from '../kit/clock.ts';
import type { WorkspaceDatabases } from '../kit/database/workspace-databases.ts';
import type { Log } from '../kit/log.ts';
import { type ServiceEnv, withFaults } from '../kit/service-app.ts';
import { aroundCalls } from './around-calls.ts';
import type { Bench } from './bench.ts';
import { JournalEngine } from './engine/journal-engine.ts';
import { StoredOutputs } from './engine/stored-outputs.ts';
import { Lanes } from './lanes.ts';
import { Listener } from './listener/listener.ts';
import { pursue } from './orchestrations/advance.ts';
import { createDesk } from './orchestrations/desk.ts';
import { RevisionStore } from './orchestrations/revision-store.ts';
import { type OrchestrationDesk, orchestrationRoutes } from './orchestrations/routes.ts';
import { OrchestrationStore } from './orchestrations/store.ts';
import { PipelineStore } from './pipelines/store.ts';
import { getPlan, submitPlan } from './plans/plan.ts';
import { type PlanDesk, planRoutes } from './plans/routes.ts';
import type { RunsOf, SpacesOf } from './ports.ts';
import { OrchestrationStepHost } from './steps/step-host.ts';

export interface OrchestrationDeps {
  databases: WorkspaceDatabases;
  spaces: SpacesOf;
  runs: RunsOf;
  log: Log;
  clock: Clock;
  /** Called around every call to another service (`spaces.createTicket:before`); commits call it themselves. */
  onPoint?: ((name: string) => void) | undefined;
}

function routesOf(orchestrations: OrchestrationDesk, plans: PlanDesk) {
  return new Hono<ServiceEnv>().route('/', orchestrationRoutes(orchestrations)).route('/', planRoutes(plans));
}

export type OrchestrationApp = ReturnType<typeof routesOf>;

export interface OrchestrationService {
  app: OrchestrationApp;
  /** Takes over every workspace and goes on with what an earlier process left unfinished. */
  start(): Promise<void>;
  /** Lets go of everything; the next start goes on. */
  stop(): Promise<void>;
}

/** Plans and orchestrations: from a proposal, over a person's approval, to the deliverable. */
export function createOrchestration(deps: OrchestrationDeps): OrchestrationService {
  const { bench, engine } = createBench(deps);
  const desk = createDesk(bench);
  const listener = new Listener(bench);
  return {
    app: withFaults(routesOf(desk, planDesk(bench, desk)), deps.log),
    async start() {
      engine.open();
      for (const workspaceId of deps.databases.list()) await goOnOrSay(bench, workspaceId);
      listener.start();
    },
    async stop() {
      await listener.stop();
      await engine.stop();
      await bench.lanes.stop();
    },
  };
}

function planDesk(bench: Bench, orchestrations: OrchestrationDesk): PlanDesk {
  return {
    submit: (ws, actor, input) => submitPlan(bench, ws, actor, input),
    list: (ws, query) => orchestrations.list(ws, { ...query, kind: 'plan' }),
    get: (ws, id) => getPlan(bench, ws, id),
  };
}

function createBench(deps: OrchestrationDeps): { bench: Bench; engine: JournalEngine } {
  const { databases, log, clock } = deps;
  const outputs = new StoredOutputs(databases, clock);
  const host = new OrchestrationStepHost((): Bench => bench, outputs);
  const engine = new JournalEngine({ databases, host, clock, log });
  const pointed = <Port extends object>(name: string, port: Port): Port =>
    aroundCalls(
      port,
      (method) => deps.onPoint?.(`${name}.${method}:before`),
      (method) => deps.onPoint?.(`${name}.${method}:after`),
    );
  const bench: Bench = {
    ...{ databases, log, clock, engine },
    store: new OrchestrationStore(databases, clock),
    revisions: new RevisionStore(databases, clock),
    pipelines: new PipelineStore(databases, clock),
    lanes: new Lanes(log),
    spaces: (workspaceId) => pointed('spaces', deps.spaces(workspaceId)),
    runs: (workspaceId) => pointed('runs', deps.runs(workspaceId)),
  };
  return { bench, engine };
}

// One workspace with a broken disk or database answers with its fault when it is used, and holds up no other.
async function goOnOrSay(bench: Bench, workspaceId: string): Promise<void> {
  try {
    for (const id of await bench.store.unfinished(workspaceId)) pursue(bench, workspaceId, id);
  } catch (error) {
    bench.log.error({ err: error, workspaceId }, 'the work of a workspace cannot go on');
  }
}
