import type { StepKind } from '../../../core-wasm/core.ts';
import { aroundCalls } from '../around-calls.ts';
import type { Bench } from '../bench.ts';
import type { RunRef, StepContext, StepHost, StepResult } from '../engine/engine.ts';
import type { StoredOutputs } from '../engine/stored-outputs.ts';
import { hasEnded } from '../orchestrations/orchestration.ts';
import { collect } from './collect.ts';
import { deliver } from './deliver.ts';
import { gate } from './gate.ts';
import { position, research } from './reading.ts';
import { start } from './start.ts';
import type { StepBody, StepScope } from './step-scope.ts';
import { synthesis } from './synthesis.ts';
import { ticket } from './ticket.ts';

const BODIES: Record<StepKind, StepBody> = {
  ...{ start, research, position, gate, ticket, collect, synthesis, deliver },
};

/** Runs the bodies of orchestrations' steps; results are kept once by `outputs`. */
export class OrchestrationStepHost implements StepHost {
  constructor(
    private readonly bench: () => Bench,
    private readonly outputs: StoredOutputs,
  ) {}

  begin(run: RunRef, step: string): Promise<{ fence: number; done: boolean }> {
    return this.outputs.begin(run, step);
  }

  commit(
    run: RunRef,
    step: string,
    fence: number,
    output: unknown,
  ): Promise<'stored' | 'duplicate' | 'fenced'> {
    return this.outputs.commit(run, step, fence, output);
  }

  async execute(context: StepContext): Promise<StepResult> {
    const scope = await this.#scope(context);
    if (!scope)
      return { kind: 'failed', message: `Step ${context.step} belongs to no pipeline that is under way.` };
    return BODIES[scope.step.kind](scope);
  }

  async #scope(context: StepContext): Promise<StepScope | null> {
    const bench = this.bench();
    const { workspaceId } = context;
    const run = await bench.pipelines.run(context);
    const orchestration = run && (await bench.store.find(workspaceId, run.orchestrationId));
    const pipeline = run && (await bench.pipelines.template(workspaceId, run.orchestrationId));
    const step = pipeline?.steps.find(({ key }) => key === context.step);
    if (!orchestration || !pipeline || !step || hasEnded(orchestration.status)) return null;
    const items = await bench.store.scaffoldItems(workspaceId, orchestration.id);
    return {
      ...{ bench, context, orchestration, pipeline, step },
      outputs: await this.outputs.read(context, ['start', 'collect', ...step.needs, ...step.inputs]),
      tickets: new Map([...items].filter(([item]) => item.startsWith('ticket/'))),
      // A body that was aborted makes no further call.
      spaces: aroundCalls(bench.spaces(workspaceId), () => context.signal.throwIfAborted()),
      runs: aroundCalls(bench.runs(workspaceId), () => context.signal.throwIfAborted()),
    };
  }
}
