import type { ModelScript, ScriptedTurn } from '../../../test/model/script.ts';
import type { Actor } from '../../kit/actor.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import type { Checkpoint, UndoRequest, UndoResult } from './schema.ts';

export const ADA = 'person:mem_ada';
export const write = (path: string, content: string) => ({ name: 'write_file', input: { path, content } });
/** The key is refused once, which pauses the run until a person says that it is mended. */
export const stopOnce = { kind: 'status', status: 401 } as const;

/** A run in a repository, as far as its script took it, and what people may do to it. */
export interface UndoWorld {
  bench: Bench;
  process: Process;
  run: Run;
  /** Its worktree; empty without one. */
  top: string;
  agentId: string;
  conversationId: string;
}

/** A run that has made the turns and then is paused, or has ended. `change` comes before it is made. */
export async function worked(
  script: ScriptedTurn[] | ModelScript,
  prompt = 'Do it.',
  change: (process: Process) => void = () => undefined,
): Promise<UndoWorld> {
  const bench = await createBench(Array.isArray(script) ? turns(...script) : script);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const { id: conversationId } = bench.spaces.addConversation('chat', [bench.repository.source]);
  const process = await bench.process();
  change(process);
  const { id } = await process.createRun({ agentId, conversationId, prompt });
  const run = await until(
    () => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`),
    ({ endedAt, status }) => endedAt !== null || status === 'paused',
  );
  const { path } = await process.runner.openWorktree({
    ...{ workspaceId: WORKSPACE, conversationId, repository: 'app', merge: [], base: 'main' },
    ...{ source: bench.repository.source, branch: String(run.branch) },
  });
  return { bench, process, run, top: path, agentId, conversationId };
}

export function undo({ process, run }: UndoWorld, request: UndoRequest): Promise<UndoResult> {
  return process.json<UndoResult>('POST', `${WORKSPACE}/runs/${run.id}/undo`, request, ADA);
}

/** Status, code and words of the answer. */
export async function refused(
  { process, run }: UndoWorld,
  request: unknown,
  actor: Actor = ADA,
): Promise<string> {
  const response = await process.call('POST', `${WORKSPACE}/runs/${run.id}/undo`, request, actor);
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  return `${response.status} ${code} ${detail}`;
}

export async function listed({ process, run }: UndoWorld): Promise<Checkpoint[]> {
  const path = `${WORKSPACE}/runs/${run.id}/checkpoints`;
  return (await process.json<{ items: Checkpoint[] }>('GET', path)).items;
}

export function resume({ process, run }: UndoWorld): Promise<Run> {
  return process.json('POST', `${WORKSPACE}/runs/${run.id}/resume`, undefined, ADA);
}

export function ended({ process }: UndoWorld, id: string): Promise<Run> {
  return until(
    () => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`),
    ({ endedAt }) => endedAt !== null,
  );
}

export function lastRequest({ bench }: UndoWorld): string {
  return JSON.stringify(bench.model.requests.at(-1)?.body);
}
