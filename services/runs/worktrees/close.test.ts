import { afterEach, expect, test } from 'bun:test';
import { type Bench, createBench, turns, WORKSPACE } from '../test-bench.ts';

let bench: Bench;
afterEach(() => bench.close());

test('puts away what another branch holds, keeps what is nowhere else, and leaves other budgets alone', async () => {
  const work = turns(
    { tools: [{ name: 'write_file', input: { path: 'a.ts', content: 'export {};\n' } }] },
    { tools: [{ name: 'git_commit', input: { message: 'Add a' } }] },
    { text: 'Done.' },
  );
  bench = await createBench(work);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const process = await bench.process();
  await process.json('PUT', `${WORKSPACE}/budgets/one`, { capMicros: 10_000_000 });
  await process.json('PUT', `${WORKSPACE}/budgets/other`, { capMicros: 10_000_000 });
  const runIn = async (budgetScope: string) => {
    const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
    const { id } = await process.createRun({ agentId, conversationId: conversation.id, budgetScope });
    const { branch } = await process.settled(id);
    return { spaceId: conversation.space.id, branch: String(branch) };
  };
  const merged = await runIn('one');
  const unmerged = await runIn('one');
  const other = await runIn('other');
  const integration = {
    spaceId: merged.spaceId,
    branch: 'control-center/whole',
    merge: [merged.branch],
    key: 'i',
  };
  await process.json('POST', `${WORKSPACE}/integrations`, integration);
  const close = () => process.json('POST', `${WORKSPACE}/worktrees/close`, { budgetScope: 'one' });
  const kept = [{ branch: unmerged.branch, reason: expect.stringContaining('1 unmerged commit') }];
  expect(await close()).toEqual({ closed: 1, kept });
  expect(await close()).toEqual({ closed: 0, kept });
  const branches = bench.repository.git(
    'for-each-ref',
    '--format=%(refname:short)',
    'refs/heads/control-center/',
  );
  expect(branches.trim().split('\n').sort()).toEqual(
    ['control-center/whole', unmerged.branch, other.branch].sort(),
  );
});
