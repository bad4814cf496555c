import type { StepKind } from '../../../core-wasm/core.ts';
import { inputsText } from './inputs.ts';
import type { StepScope } from './step-scope.ts';

const TASKS: Partial<Record<StepKind, string>> = {
  research: 'Research for the whole team. Nothing is changed in this step: read, look up, compare.',
  position: 'State your position before the work starts. Nothing is changed in this step.',
  ticket: 'Do this sub-ticket. Others work on theirs at the same time: keep to yours.',
  synthesis:
    'Put the results of all sub-tickets together into the deliverable. Nothing is changed in this step.',
};

const FORMS: Partial<Record<StepKind, string>> = {
  research:
    'Your final answer is the result: findings with their sources, what is unknown, what the team should know first. Markdown.',
  position:
    'Answer with your position, the risks that you see and your suggestions, each suggestion something one can act on.',
  ticket:
    'Your final answer is the result that the others read: what you did, where it is, what is left. Changes in the worktree are committed to your branch; those that you leave uncommitted are committed for you.',
  synthesis:
    'The deliverable is Markdown that stands by itself. `gaps` names everything that is missing or uncertain: each failed sub-ticket, each branch that could not be merged, each question left open. An empty list says that nothing is.',
};

/** What an agent is told: the goal, its task, what came before, and what to deliver in which form. */
export function promptFor(scope: StepScope): string {
  const { step, pipeline } = scope;
  const inputs = inputsText(scope);
  const sections = [
    `# ${step.title}`,
    TASKS[step.kind] ?? '',
    `## The goal of the whole\n\n${pipeline.goal}`,
    `## Your task\n\n${step.brief}`,
    ticketLine(scope),
    inputs && `## What came before\n\n${inputs}`,
    `## What to deliver\n\n${FORMS[step.kind] ?? ''}`,
    step.outputSchema &&
      `The answer must be JSON that fits this schema:\n\n\`\`\`json\n${JSON.stringify(step.outputSchema, null, 2)}\n\`\`\``,
  ];
  return sections.filter(Boolean).join('\n\n');
}

function ticketLine({ step, tickets }: StepScope): string {
  const ticketId = tickets.get(step.key);
  return ticketId ? `Your ticket is ${ticketId}. Its status is kept for you.` : '';
}
