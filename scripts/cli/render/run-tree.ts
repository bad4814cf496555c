import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import type { Paint } from '../paint.ts';
import { plainLine } from '../plain-text.ts';
import { duration, moneyOrUnknown, plural } from './amounts.ts';

const PAINTS: Partial<Record<TreeNode['state'], keyof Paint>> = {
  ...{ running: 'cyan', waiting: 'yellow', paused: 'yellow' },
  ...{ succeeded: 'green', failed: 'red', blocked: 'red', cancelled: 'dim' },
};

/** A run with everything below it, a line each; `marked` is the run that was asked about. */
export function runTreeText(root: TreeNode, marked: string, paint: Paint): string {
  return lines(root, '', '', marked, paint).join('\n');
}

function lines(node: TreeNode, first: string, rest: string, marked: string, paint: Paint): string[] {
  const children = node.children.flatMap((child, i) => {
    const isLast = i === node.children.length - 1;
    const [branch, trunk] = isLast ? ['└─ ', '   '] : ['├─ ', '│  '];
    return lines(child, rest + branch, rest + trunk, marked, paint);
  });
  return [first + nodeLine(node, marked, paint), ...children];
}

function nodeLine(node: TreeNode, marked: string, paint: Paint): string {
  const { id, agentName, state, liveness, durationMs, costMicros, treeCostMicros, children } = node;
  const { input, output, cacheRead, cacheWrite } = node.tokens;
  const bad = state === 'running' && liveness !== 'progressing' ? ` (${liveness})` : '';
  const name = plainLine(agentName, 40);
  return [
    `${id === marked ? paint.bold(name) : name} ${paint[PAINTS[state] ?? 'dim'](state + bad)}`,
    durationMs === null ? 'not begun' : duration(durationMs),
    moneyOrUnknown(costMicros) + (children.length === 0 ? '' : ` (${moneyOrUnknown(treeCostMicros)} in all)`),
    plural(input + output + cacheRead + cacheWrite, 'token'),
    paint.dim(id),
  ].join('  ');
}
