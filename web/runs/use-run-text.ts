import type { Step, Steps } from '../../services/runs/pages/steps.ts';
import type { Run } from '../../services/runs/runs/schema.ts';
import type { TreeNode } from '../../services/runs/runs/tree-node.ts';
import { statusOfCall } from '../conversation/runs/call-words.ts';
import { statusOfRun } from '../conversation/runs/state-words.ts';
import { runText } from '../conversation/runs/text.ts';
import { count, dateTime, money } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { statusText } from '../ui/status-words.ts';
import { type RunMarkdownWords, runMarkdown } from './run-markdown.ts';
import { runWords } from './run-words.ts';

/** Makes the Markdown of a run from its steps, in the person's language. */
export function useRunText(run: Run, node: TreeNode): (steps: Steps) => string {
  const t = useText(runWords);
  const common = useText(runText);
  const statuses = useText(statusText);
  const isOver = node.endedAt !== null;
  const words: RunMarkdownWords = {
    answer: t.answer,
    thinking: common.thought,
    between: (between) =>
      between.kind === 'undo'
        ? common.undone(between.turns)
        : between.kind === 'summary'
          ? common.summary(between.turns)
          : t.notes[between.cause],
    state: (call) => stateWord(call, isOver, statuses),
    cut: (shown, all) => t.cutText(count(shown), count(all)),
  };
  return ({ opening, steps }) => {
    const cost = run.costMicros === null ? t.costUnknown : money(run.costMicros);
    const facts = [
      statuses[statusOfRun(node)],
      `${t.begun}: ${run.startedAt === null ? t.notBegun : dateTime(run.startedAt)}`,
      `${t.model}: ${run.model}`,
      `${t.cost}: ${cost}`,
      run.id,
    ];
    return runMarkdown({ title: t.runOf(run.agentName), facts, opening, steps }, words);
  };
}

function stateWord(
  call: Step['calls'][number],
  isRunOver: boolean,
  statuses: (typeof statusText)['en'],
): string | null {
  const status = statusOfCall(call, { isHeard: false, isRunOver, isDelegated: false });
  return status === 'done' ? null : statuses[status];
}
