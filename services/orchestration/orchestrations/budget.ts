import { type Actor, isPerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import type { Bench } from '../bench.ts';
import type { RunFacts } from '../ports.ts';
import { dollars, lineOf } from '../text.ts';
import { cancel } from './decide.ts';
import type { OrchestrationRow, OrchestrationStatus } from './schema.ts';
import { atBudget, without } from './store.ts';

const UNDER_WAY: readonly OrchestrationStatus[] = ['approved', 'executing', 'synthesizing'];

/** A run found the cap: the pipeline waits, and a person is asked whether to raise the budget or stop. */
export async function askForBudget(bench: Bench, workspaceId: string, pausedRunId: string): Promise<void> {
  const run = await bench.runs(workspaceId).getRun(pausedRunId);
  // The event may be old news: only a run that still waits counts.
  if (!run.budgetScope || !isStoppedBy(run, run.budgetScope)) return;
  const row = await bench.store.find(workspaceId, run.budgetScope);
  if (!row?.pipelineRunId || !UNDER_WAY.includes(row.status)) return;
  if (row.appliedBudgetMicros !== row.budgetMicros) return applyBudget(bench, workspaceId, row);
  await bench.engine.suspend({ workspaceId, runId: row.pipelineRunId });
  const approval = await bench.spaces(workspaceId).createApproval(budgetQuestion(row));
  await bench.store.change(workspaceId, row.id, {
    label: 'orchestration.budgetReached',
    set: { budgetApprovalId: approval.id },
    from: UNDER_WAY,
    when: [atBudget(row.budgetMicros), without('budgetApprovalId')],
    event: {
      type: 'budgetReached',
      actor: 'service:orchestration',
      data: { capMicros: row.budgetMicros, approvalId: approval.id },
    },
  });
}

/** Another budget that is used up is raised elsewhere, and the run goes on by itself then. */
function isStoppedBy({ status, errorFamily, budgetStop }: RunFacts, scope: string): boolean {
  return (
    status === 'paused' && errorFamily === 'budget' && (budgetStop === null || budgetStop.scope === scope)
  );
}

function budgetQuestion(row: OrchestrationRow) {
  const { id, budgetMicros: capMicros } = row;
  return {
    ...{
      key: `${id}/budget/${capMicros}`,
      kind: 'question' as const,
      requester: 'service:orchestration' as const,
    },
    subject: [
      `The budget of ${dollars(capMicros)} is used up; the work is paused: ${lineOf(row.goal, 120).replace(/\.$/, '')}.`,
      `Answer "raise" to add ${dollars(capMicros)}, "raise <micro-dollars>" for another cap, or "stop" to end it.`,
    ].join('\n\n'),
    arguments: { orchestrationId: id, about: 'budget', capMicros, options: ['raise', 'stop'] },
    ...{ runId: null, spaceId: row.spaceId, conversationId: row.conversationId },
  };
}

/** Sets a higher cap; paused runs and the pipeline go on. @throws Fault invalid_request, wrong_status */
export async function raiseBudget(
  bench: Bench,
  workspaceId: string,
  person: Actor,
  id: string,
  capMicros: number,
): Promise<void> {
  const row = await bench.store.get(workspaceId, id);
  if (!UNDER_WAY.includes(row.status)) {
    throw new Fault(
      'wrong_status',
      `Orchestration ${id} is ${row.status}; its budget can be raised while it works.`,
      {
        status: row.status,
      },
    );
  }
  if (capMicros <= row.budgetMicros) {
    const present = `${row.budgetMicros} micro-dollars`;
    throw new Fault(
      'invalid_request',
      `The budget can only be raised: give more than the present ${present}.`,
    );
  }
  const raised = await bench.store.change(workspaceId, id, {
    label: 'orchestration.raise',
    set: { budgetMicros: capMicros },
    from: UNDER_WAY,
    when: [atBudget(row.budgetMicros)],
    event: { type: 'budgetRaised', actor: person, data: { capMicros, fromMicros: row.budgetMicros } },
  });
  if (!raised)
    throw new Fault('conflict', 'The budget or the status changed in this moment. Look again and repeat it.');
}

/** Tells the runs service of the row's cap and lets go on what waited for it. May be repeated. */
export async function applyBudget(bench: Bench, workspaceId: string, row: OrchestrationRow): Promise<void> {
  const { id, budgetMicros, pipelineRunId, budgetApprovalId } = row;
  if (!pipelineRunId || !UNDER_WAY.includes(row.status) || row.appliedBudgetMicros === budgetMicros) return;
  const runs = bench.runs(workspaceId);
  await runs.putBudget(id, budgetMicros);
  for (const run of await runs.listPausedRuns()) {
    if (run.budgetScope === id && isStoppedBy(run, id)) await runs.resumeRun(run.id);
  }
  await bench.engine.resume({ workspaceId, runId: pipelineRunId });
  if (budgetApprovalId) await bench.spaces(workspaceId).supersedeApproval(budgetApprovalId);
  await bench.store.change(workspaceId, id, {
    label: 'orchestration.budget',
    set: { appliedBudgetMicros: budgetMicros, budgetApprovalId: null },
    when: [atBudget(budgetMicros)],
  });
}

/** A person's answer to the budget question. */
export async function applyBudgetAnswer(
  bench: Bench,
  workspaceId: string,
  id: string,
  approvalId: string,
): Promise<void> {
  const row = await bench.store.find(workspaceId, id);
  if (row?.budgetApprovalId !== approvalId || !UNDER_WAY.includes(row.status)) return;
  const { decidedBy, status, decision } = await bench.spaces(workspaceId).getApproval(approvalId);
  if (!decidedBy || !isPerson(decidedBy)) return;
  const answer = status === 'approved' ? budgetAnswer(decision?.answer ?? 'raise', row.budgetMicros) : 'stop';
  if (answer === 'stop') await cancel(bench, workspaceId, decidedBy, id);
  else if (answer === 'unclear') await askAgain(bench, workspaceId, row, approvalId);
  else await raiseBudget(bench, workspaceId, decidedBy, id, answer);
}

/** `raise` adds the present cap again, `raise 5000000` sets one in micro-dollars, `stop` ends the work. */
function budgetAnswer(answer: string, presentMicros: number): number | 'stop' | 'unclear' {
  if (/^\s*stop\s*$/i.test(answer)) return 'stop';
  const said = /^\s*raise(?:\s+(\d{1,15}))?\s*$/i.exec(answer);
  const capMicros = said?.[1] === undefined ? presentMicros * 2 : Number(said[1]);
  return said && capMicros > presentMicros ? capMicros : 'unclear';
}

// Neither spending nor stopping follows from an answer that nobody understands.
async function askAgain(
  bench: Bench,
  workspaceId: string,
  row: OrchestrationRow,
  answered: string,
): Promise<void> {
  const question = budgetQuestion(row);
  const approval = await bench
    .spaces(workspaceId)
    .createApproval({ ...question, key: `${question.key}/${answered}` });
  await bench.store.change(workspaceId, row.id, {
    label: 'orchestration.askAgain',
    set: { budgetApprovalId: approval.id },
    from: UNDER_WAY,
    when: [atBudget(row.budgetMicros)],
  });
}
