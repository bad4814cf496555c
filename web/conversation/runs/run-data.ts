import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Step, Steps } from '../../../services/runs/pages/steps.ts';
import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import type { Look } from '../../agents/failed-looks.tsx';
import { ask, runs } from '../../api/client.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { idBefore } from './id-at.ts';

const TREES_PAGE = 200;
const STEPS_PAGE = 200;
/** Of each output; the run's own page has the rest. */
const OUTPUT_CHARS = 6_000;

const at = runs.api.workspaces[':workspaceId'].runs;

export interface RunTrees {
  runs: readonly TreeNode[];
  /** What they are known from. */
  looks: readonly Look[];
}

/** The runs of a conversation since `sinceMs`, and those from before that are not over, as trees. */
export function useRunTrees(ws: string, conversationId: string, sinceMs: number | null): RunTrees {
  const unfinished = useQuery({
    queryKey: ['unfinished-runs', ws, conversationId],
    queryFn: () => unfinishedIds(ws, conversationId),
    enabled: sinceMs !== null,
    staleTime: 0,
  });
  const after = idBefore('run', sinceMs ?? 0);
  const trees = useQuery({
    queryKey: [...keys.runTrees(ws, conversationId), after],
    queryFn: () => treesSince(ws, conversationId, after, unfinished.data ?? []),
    enabled: unfinished.data !== undefined,
    placeholderData: (before: readonly TreeNode[] | undefined) => before,
  });
  return { runs: trees.data ?? NONE, looks: [unfinished, trees] };
}
const NONE: readonly TreeNode[] = [];

async function treesSince(
  workspaceId: string,
  conversationId: string,
  since: string,
  unfinished: readonly string[],
): Promise<readonly TreeNode[]> {
  const old = unfinished
    .filter((id) => id <= since)
    .map((id) => ask(at[':id'].tree.$get({ param: { workspaceId, id } })));
  // What is on the wire is the tree as the service has it; the client's type of it is that type written out.
  const all = (await Promise.all(old)) as unknown as TreeNode[];
  let after: string | null = since;
  while (after !== null) {
    const page: TreesPage = await treesPage(workspaceId, conversationId, after);
    all.push(...page.items);
    after = page.next;
  }
  return all;
}

interface TreesPage {
  items: TreeNode[];
  next: string | null;
}

async function treesPage(workspaceId: string, conversationId: string, after: string): Promise<TreesPage> {
  const query = { conversationId, after, limit: String(TREES_PAGE) };
  return (await ask(at.trees.$get({ param: { workspaceId }, query }))) as unknown as TreesPage;
}

/** Roots that had not ended when the conversation was opened: what begins later is younger than that. */
async function unfinishedIds(workspaceId: string, conversationId: string): Promise<string[]> {
  const lists = await Promise.all(
    (['queued', 'running', 'paused'] as const).map((status) =>
      ask(at.$get({ param: { workspaceId }, query: { conversationId, status, limit: '100' } })),
    ),
  );
  return lists.flatMap(({ items }) =>
    items.filter(({ rootRunId }) => rootRunId === null).map(({ id }) => id),
  );
}

/** A run as it stands, with what a tree does not tell: who paused it, who holds it. */
export function useRun(ws: string, id: string) {
  return useQuery({
    queryKey: keys.run(ws, id),
    queryFn: () => ask(at[':id'].$get({ param: { workspaceId: ws, id } })),
  });
}

export interface RunSteps extends Steps {
  /** Answers in all, those that were undone included. */
  turns: number;
}

const stepsKey = (ws: string, id: string) => ['run-steps', ws, id] as const;

/** What a run did, step by step. Asks again only for what may have changed since the last look. */
export function useRunSteps(ws: string, id: string, isWanted: boolean) {
  return useQuery({
    queryKey: stepsKey(ws, id),
    queryFn: () => readSteps(ws, id, queryClient.getQueryData<RunSteps>(stepsKey(ws, id))),
    enabled: isWanted,
  });
}

export function refreshSteps(ws: string, id: string): void {
  void queryClient.invalidateQueries({ queryKey: stepsKey(ws, id) });
}

async function readSteps(workspaceId: string, id: string, before: RunSteps | undefined): Promise<RunSteps> {
  const kept = keptOf(before?.steps ?? []);
  const next = before?.steps[kept.length];
  let opening = before?.opening ?? [];
  const steps = [...kept];
  let turns = steps.length;
  let after: string | null = next ? String(next.seq - 1) : '0';
  while (after !== null) {
    const page: StepsPage = await stepsPage(workspaceId, id, after);
    if (after === '0') opening = page.opening;
    steps.push(...page.steps);
    turns = page.turns;
    after = page.next;
  }
  return { opening, steps, turns };
}

interface StepsPage extends RunSteps {
  next: string | null;
}

async function stepsPage(workspaceId: string, id: string, after: string): Promise<StepsPage> {
  const query = { after, limit: String(STEPS_PAGE), maxChars: String(OUTPUT_CHARS) };
  return (await ask(at[':id'].page.$get({ param: { workspaceId, id }, query }))) as unknown as StepsPage;
}

/** Reads a run's steps from the first one on, for what changes old ones. */
export function rereadSteps(ws: string, id: string): void {
  void queryClient.resetQueries({ queryKey: stepsKey(ws, id) });
}

/** What cannot change any more but by an undo: all before the first step with a call that goes on, and never the last one. */
function keptOf(steps: readonly Step[]): Step[] {
  const settled = steps.findIndex(
    ({ calls }, i) => i === steps.length - 1 || calls.some(({ endedAt }) => endedAt === null),
  );
  return steps.slice(0, Math.max(0, settled));
}

/** Every run of a tree, its root first. */
export function useFlat(node: TreeNode): readonly TreeNode[] {
  return useMemo(() => flat(node), [node]);
}

export function flat(node: TreeNode): TreeNode[] {
  return [node, ...node.children.flatMap(flat)];
}
