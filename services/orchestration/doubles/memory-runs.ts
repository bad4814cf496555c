import type { RoleHistory } from '../../../core-wasm/core.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { NewRun, RunFacts, RunStanding, RunsPort, Spending } from '../ports.ts';
import type { WriteEvent } from './event-writer.ts';

export interface MemoryRun extends NewRun, RunFacts {
  budgetScope: string;
}
export interface Outcome {
  status?: 'completed' | 'failed' | 'cancelled';
  text?: string;
  value?: unknown;
  costMicros?: number | null;
  summary?: string;
}

/** What a run comes to; `hold` leaves it running until the test ends it. */
export type Script = (run: MemoryRun, step: string) => Outcome | 'hold' | 'budget';

/** The agents' side in memory: one run for each key, ends told as events, whoever listens. */
export class MemoryRuns implements RunsPort {
  readonly runs: MemoryRun[] = [];
  readonly budgets = new Map<string, number>();
  readonly integrations: Parameters<RunsPort['integrate']>[0][] = [];
  readonly commits: string[] = [];
  readonly histories_ = new Map<string, RoleHistory>();
  script: Script = () => ({ text: 'done' });
  conflictsWith: string[] = [];
  #ended: Promise<unknown> = Promise.resolve();

  constructor(private readonly writeEvent: WriteEvent) {}

  /** Resolves when every event asked for so far is written. */
  async idle(): Promise<void> {
    await this.#ended;
  }

  stepOf(run: MemoryRun): string {
    return run.trigger.id.slice(run.trigger.id.indexOf('/') + 1);
  }

  runOf(step: string): MemoryRun {
    const run = this.runs.findLast((known) => this.stepOf(known) === step);
    if (!run) throw new Error(`no run of ${step}`);
    return run;
  }

  async createRun(input: NewRun) {
    const known = this.runs.find((run) => run.key === input.key);
    if (known) return known;
    const run: MemoryRun = {
      ...input,
      id: newId('run'),
      status: 'running',
      errorFamily: null,
      budgetStop: null,
    };
    this.runs.push(run);
    const outcome = this.script(run, this.stepOf(run));
    if (outcome === 'budget') this.#later(() => this.pauseForBudget(run));
    else if (outcome !== 'hold') this.#later(() => this.end(run, outcome));
    return run;
  }

  /** A run's end is a commit of its own service: it comes whether anybody listens or not, once. */
  async end(run: MemoryRun, outcome: Outcome): Promise<void> {
    if (['completed', 'failed', 'cancelled'].includes(run.status)) return;
    const { status = 'completed', text = '', value = null, costMicros = 1_000, summary = null } = outcome;
    run.status = status;
    await this.writeEvent('run.ended', run.id, {
      ...{ status, liveness: 'progressing', errorFamily: null, summary, key: run.key, trigger: run.trigger },
      ...{ conversationId: run.conversationId, agentId: run.agentId, costMicros, durationMs: 5 },
      tokens: { input: 10, output: 5, cacheRead: 2, cacheWrite: 1 },
      output: status === 'completed' ? { text, value } : null,
    });
  }

  async pauseForBudget(run: MemoryRun, scope = run.budgetScope): Promise<void> {
    Object.assign(run, { status: 'paused', errorFamily: 'budget', budgetStop: { scope } });
    await this.writeEvent('run.paused', run.id, { errorFamily: 'budget' });
  }

  async getRun(id: string) {
    const run = this.runs.find((known) => known.id === id);
    if (run) return run;
    throw new Fault('not_found', `There is no run ${id}.`);
  }

  standings_: RunStanding[] = [];
  spendings_: Spending[] = [];

  async standings() {
    return this.standings_;
  }

  async spendings() {
    return this.spendings_;
  }

  async listPausedRuns() {
    return this.runs.filter((run) => run.status === 'paused');
  }

  async resumeRun(id: string) {
    const run = await this.getRun(id);
    if (run.status !== 'paused') return;
    Object.assign(run, { status: 'running', errorFamily: null });
    this.#later(() => this.end(run, { text: 'went on' }));
  }

  async cancelRuns(budgetScope: string) {
    for (const run of this.runs.filter((known) => known.budgetScope === budgetScope)) {
      await this.end(run, { status: 'cancelled' });
    }
  }

  async closeWorktrees() {}

  async histories(agentIds: readonly string[]) {
    return Object.fromEntries(
      agentIds.map((id) => [id, this.histories_.get(id) ?? { costMicros: [], durationMs: [] }]),
    );
  }

  async putBudget(scope: string, capMicros: number) {
    this.budgets.set(scope, capMicros);
  }

  async inspectRepository() {
    return { head: 'c0ffee', defaultBranch: 'main' };
  }

  async commitWorktree({ key, conversationId }: { key: string; conversationId: string }) {
    if (!this.commits.includes(key)) this.commits.push(key);
    return { branch: `control-center/${conversationId}` };
  }

  async integrate(input: Parameters<RunsPort['integrate']>[0]) {
    if (!this.integrations.some((known) => known.key === input.key)) this.integrations.push(input);
    const isIn = (branch: string) => this.conflictsWith.includes(branch);
    return {
      ...{ branch: input.branch, base: input.base, head: 'facade', stat: ' a.ts | 2 +-' },
      merged: input.merge.filter((branch) => !isIn(branch)),
      conflicts: input.merge.filter(isIn).map((branch) => ({ branch, files: ['a.ts'] })),
    };
  }

  #later(task: () => Promise<void>): void {
    this.#ended = Promise.all([this.#ended, Bun.sleep(0).then(task)]);
  }
}
