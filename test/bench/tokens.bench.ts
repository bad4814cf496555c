import { createWorld, founded, onWord, said, scriptOf, spaceWith, toolCall } from '../e2e/world.ts';
import { blocksOf } from '../model/messages-request.ts';
import { createPromptCache, promptTokens } from '../model/prompt-cache.ts';
import type { RecordedRequest } from '../model/request-log.ts';
import type { BenchRow } from './core.bench.ts';

/** At least this share of each prompt after a run's first, all of them together, stands in the cache already. */
const GOAL = 0.9;

/** A task as agents do them: looking around, reading, changing, trying, committing. */
const TASK = onWord(
  'TASK',
  { tools: [toolCall('list_files', {}), toolCall('git_log', {})] },
  { tools: [toolCall('read_file', { path: 'invoice.ts' }), toolCall('read_file', { path: 'csv.test.ts' })] },
  { tools: [toolCall('search_files', { pattern: 'Cents' })] },
  { tools: [toolCall('write_file', { path: 'csv.ts', content: `${'// a line of it\n'.repeat(60)}` })] },
  { tools: [toolCall('run_command', { command: 'bun test 2>&1 | tail -40' })] },
  ...Array.from({ length: 12 }, (_, i) => ({
    text: `Step ${i}: the next case.`,
    tools: [
      toolCall('edit_file', { path: 'csv.ts', oldText: '// a line of it\n// a', newText: `// ${i}\n// a` }),
      toolCall('read_file', { path: 'csv.ts' }),
    ],
  })).map((turn, i) => ({ ...turn, tools: [turn.tools[i % 2]!] })),
  { tools: [toolCall('git_commit', { message: 'Add csv' })] },
  { text: 'It is done.' },
);

/** Tokens that one fixed task sends, and which share of them a provider's prompt cache can serve. */
export async function tokensBench(): Promise<BenchRow[]> {
  const world = await createWorld(scriptOf(TASK));
  try {
    const { ws, agents } = await founded(world, 'tokens');
    const repositories = [{ name: 'invoices', path: world.stage.repository }];
    const space = await spaceWith(world, ws, agents.engineer!, { repositories });
    const run = await said(world, ws, space, 'TASK');
    if (run.status !== 'completed') throw new Error(`the task ended ${run.status}: ${run.summary}`);
    return [cacheRow(world.model.requests)];
  } finally {
    await world.end();
  }
}

function cacheRow(requests: readonly RecordedRequest[]): BenchRow {
  // Nobody else writes to this cache, unlike to the server's own.
  const cache = createPromptCache();
  const charged = requests.map(({ body }) => ({ ...cache.charge(body), all: promptTokens(body) }));
  const later = charged.slice(1);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const shares = later.map(({ cacheReadTokens, all }) => cacheReadTokens / all).toSorted((a, b) => a - b);
  const results = requests.at(-1)!.body.messages.flatMap(({ content }) => blocksOf(content)).length;
  const sent = Math.round(sum(charged.map(({ all }) => all)) / charged.length);
  const fresh = Math.round(
    sum(later.map(({ all, cacheReadTokens }) => all - cacheReadTokens)) / later.length,
  );
  return {
    name: 'share of prompts after the first that the cache can serve',
    ratio: sum(later.map(({ cacheReadTokens }) => cacheReadTokens)) / sum(later.map(({ all }) => all)),
    p10: shares[Math.round((shares.length - 1) * 0.1)]!,
    p90: shares[Math.round((shares.length - 1) * 0.9)]!,
    floor: GOAL,
    unit: 'of all tokens',
    detail: `${charged.length} turns, ${results} blocks in the end, ${sent} tokens sent a turn, ${fresh} of them new`,
  };
}
