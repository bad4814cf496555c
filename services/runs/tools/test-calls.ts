import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunsDeps } from '../deps.ts';
import type { ToolFinishedEntry } from '../harness/journal.ts';
import { type Bench, createBench, type Process, turns, WORKSPACE } from '../test-bench.ts';
import { calls } from '../test-dialogues.ts';

export type Call = [name: string, input: unknown];

/** A run over the bench's repository, whose model makes the given calls, one answer each. */
export interface CalledRun {
  bench: Bench;
  process: Process;
  runId: string;
  /** Where the run's own files are. */
  folder: string;
  /** In the order of the calls. */
  results: ToolFinishedEntry[];
}

export async function runOfCalls(list: readonly Call[], deps: Partial<RunsDeps> = {}): Promise<CalledRun> {
  const bench = await createBench(turns(...list.map((call) => calls(call)), { text: 'Done.' }));
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
  const process = await bench.process({ deps });
  const { id: runId } = await process.createRun({ agentId, conversationId: conversation.id });
  const { status, summary } = await process.settled(runId);
  if (status !== 'completed') throw new Error(`The run ${status}: ${summary}`);
  return { bench, process, runId, folder: folderOf(bench, runId), results: await resultsOf(process, runId) };
}

/** Of a run of the bench's only workspace. */
export function folderOf({ repository }: Bench, runId: string): string {
  const data = readdirSync(repository.root).find((name) => name.startsWith('data-')) ?? '';
  return join(repository.root, data, 'workspaces', WORKSPACE, 'runs', runId);
}

export async function resultsOf(process: Process, runId: string): Promise<ToolFinishedEntry[]> {
  const path = `${WORKSPACE}/runs/${runId}/entries?limit=500`;
  const { items } = await process.json<{ items: { entry: ToolFinishedEntry }[] }>('GET', path);
  return items.map(({ entry }) => entry).filter(({ kind }) => kind === 'toolFinished');
}
