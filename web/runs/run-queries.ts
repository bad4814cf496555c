import { queryOptions } from '@tanstack/react-query';
import type { Checkpoint } from '../../services/runs/checkpoints/schema.ts';
import type { StartPrompt } from '../../services/runs/pages/prompt-store.ts';
import type { Step, Steps } from '../../services/runs/pages/steps.ts';
import type { TreeNode } from '../../services/runs/runs/tree-node.ts';
import { ask, runs } from '../api/client.ts';
import { keys } from '../api/queries.ts';

const at = runs.api.workspaces[':workspaceId'].runs[':id'];

/** The whole tree that a run belongs to, from its root. */
export const treeQuery = (ws: string, id: string) =>
  queryOptions({
    queryKey: [...keys.runTrees(ws, 'of'), id],
    // What is on the wire is the tree as the service has it; the client's type of it is that type written out.
    queryFn: async () => (await ask(at.tree.$get({ param: { workspaceId: ws, id } }))) as unknown as TreeNode,
  });

/** What each start of the run sent before its conversation, the last first. */
export const promptQuery = (ws: string, id: string) =>
  queryOptions({
    queryKey: [...keys.run(ws, id), 'prompt'],
    queryFn: async () => {
      const { starts } = await ask(at.prompt.$get({ param: { workspaceId: ws, id } }));
      return starts as readonly StartPrompt[];
    },
  });

export const checkpointsQuery = (ws: string, id: string) =>
  queryOptions({
    queryKey: [...keys.run(ws, id), 'checkpoints'],
    queryFn: async () => {
      const { items } = await ask(at.checkpoints.$get({ param: { workspaceId: ws, id } }));
      return items as readonly Checkpoint[];
    },
  });

const ALL_CHARS = 400_000;

/** One step with the outputs of its calls as long as they are kept. */
export const wholeStepQuery = (ws: string, id: string, seq: number) =>
  queryOptions({
    queryKey: [...keys.runPage(ws, id), seq],
    queryFn: async () => {
      const query = { after: String(seq - 1), limit: '1', maxChars: String(ALL_CHARS) };
      const page = await ask(at.page.$get({ param: { workspaceId: ws, id }, query }));
      return (page.steps[0] ?? null) as unknown as Step | null;
    },
    staleTime: 0,
  });

const WHOLE_PAGE = 20;

/** Every step of a run with its outputs as long as they are kept, for a file. @throws ApiProblem */
export async function wholeSteps(workspaceId: string, id: string): Promise<Steps> {
  const whole: Steps = { opening: [], steps: [] };
  for (let after: string | null = '0'; after !== null; ) {
    const query = { after, limit: String(WHOLE_PAGE), maxChars: String(ALL_CHARS) };
    const answer = await ask(at.page.$get({ param: { workspaceId, id }, query }));
    const page = answer as unknown as Steps & { next: string | null };
    if (after === '0') whole.opening.push(...page.opening);
    whole.steps.push(...page.steps);
    after = page.next;
  }
  return whole;
}

/** Brings the files of one checkpoint back. @throws ApiProblem */
export async function restoreCheckpoint(workspaceId: string, id: string, checkpointId: string) {
  return ask(at.undo.$post({ param: { workspaceId, id }, json: { checkpointId, what: 'files' } }));
}
