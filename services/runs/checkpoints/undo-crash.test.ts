import { afterEach, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from '../../kit/database/database.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import type { UndoRequest } from './schema.ts';
import { unfinishedUndos } from './undo-store.ts';

let bench: Bench;
afterEach(() => bench.close());

const REQUEST: UndoRequest = { turn: 1, what: 'both' };
const write = (content: string) => ({ name: 'write_file', input: { path: 'a.txt', content } });

/** A paused run that wrote `one` and then `two`; answers its id and where its worktree is. */
async function paused(): Promise<{ runId: string; top: string }> {
  const script = turns(
    { tools: [write('one')] },
    { tools: [write('two')] },
    { text: 'Done.', fault: { kind: 'status', status: 401 } },
  );
  bench = await createBench(script);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const { id: conversationId } = bench.spaces.addConversation('chat', [bench.repository.source]);
  const process = await bench.process();
  const { id: runId } = await process.createRun({ agentId, conversationId });
  await process.settled(runId);
  const listed = bench.repository.git('worktree', 'list', '--porcelain');
  const top = /worktree (\S+repos\/app)/.exec(listed)?.[1] ?? '';
  await process.stop();
  return { runId, top };
}

const ask = (process: Process, runId: string) =>
  process.call('POST', `${WORKSPACE}/runs/${runId}/undo`, REQUEST, 'person:mem_ada');

const POINTS = ['undo.begin', 'undo.keep', 'undo.end'].flatMap((label) => [
  `${label}:before`,
  `${label}:after`,
]);

/** The files of turn 1, one rewind, and what was there before kept under the first checkpoint of the undo. */
async function checkUndone(database: Database, runId: string, top: string, point: string): Promise<void> {
  expect([point, readFileSync(join(top, 'a.txt'), 'utf8')]).toEqual([point, 'one']);
  const rewinds = await database.read({
    sql: `SELECT json_extract(entry, '$.turns') AS turns FROM runEntries WHERE runId = ? AND kind = 'rewind'`,
    args: [runId],
  });
  expect([point, rewinds.map(({ turns }) => turns)]).toEqual([point, [1]]);
  const sql = 'SELECT commitId FROM checkpoints WHERE undoId IS NOT NULL ORDER BY at, id LIMIT 1';
  const [kept] = await database.read({ sql, args: [] });
  const store = join(dirname(dirname(top)), 'snapshots', 'app');
  const shown = Bun.spawnSync(['git', `--git-dir=${store}`, 'show', `${kept?.commitId}:a.txt`]);
  expect([point, shown.stdout.toString()]).toEqual([point, 'two']);
}

for (const isAskedAgain of [false, true]) {
  const how = isAskedAgain ? 'asked for again' : 'finished by the next start';
  test.each(POINTS)(`an undo cut off at %s is ${how}, once`, async (point) => {
    const { runId, top } = await paused();
    const dying = await bench.process({ killAt: point });
    expect((await ask(dying, runId).catch(() => null))?.ok ?? false).toBe(false);
    await dying.atRest();
    const next = await bench.process();
    const database = await next.databases.open(WORKSPACE);
    const [begun] = await database.read({ sql: 'SELECT count(*) AS n FROM undos', args: [] });
    if (Number(begun?.n) === 0 || isAskedAgain)
      expect([point, (await ask(next, runId)).status]).toEqual([point, 200]);
    await until(
      () => unfinishedUndos(database),
      (left) => left.length === 0,
    );
    await checkUndone(database, runId, top, point);
  });
}
