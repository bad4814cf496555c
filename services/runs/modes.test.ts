import { afterEach, describe, expect, test } from 'bun:test';
import { capabilityProfile, MODES, toolSurface } from '../../core-wasm/core.ts';
import { systemTextOf } from '../../test/model/messages-request.ts';
import { type Bench, createBench, turns, WORKSPACE } from './test-bench.ts';
import { EVERY_TOOL } from './tools/every-tool.ts';

let bench: Bench;
afterEach(() => bench.close());

const BREAK_OUT = [
  { name: 'run_command', input: { command: 'echo broken > README.md; git commit -qam broken' } },
  { name: 'write_file', input: { path: 'README.md', content: 'broken' } },
  { name: 'edit_file', input: { path: 'README.md', oldText: 'one', newText: 'broken' } },
  { name: 'delete_file', input: { path: 'README.md' } },
  { name: 'git_commit', input: { message: 'broken' } },
  { name: 'Bash', input: { command: 'rm -rf .' } },
];

for (const mode of MODES) {
  describe(`in ${mode} mode`, () => {
    test('the request lists exactly the surface, and the prompt names no tool outside it', async () => {
      bench = await createBench(turns({ text: 'Nothing to do.' }, { text: 'No, really.' }));
      const { id: agentId } = bench.spaces.addAgent('engineer');
      const { id: conversationId } = bench.spaces.addConversation(mode, [bench.repository.source]);
      const process = await bench.process();
      const { id } = await process.createRun({ agentId, conversationId });
      const run = await process.settled(id);
      const profile = capabilityProfile(mode);
      const body = bench.model.requests[0]?.body;
      const offered = body?.tools?.map(({ name }) => name) ?? [];
      const useful = EVERY_TOOL.filter(({ needs }) => needs !== 'review');
      expect(offered).toEqual(toolSurface(profile, useful));
      expect(run).toMatchObject({ mode, profileVersion: profile.version, tools: offered });
      for (const name of profile.pinned) expect(offered).toContain(name);
      if (profile.exitVerb) expect(offered).toContain(profile.exitVerb);
      const prompt = body ? systemTextOf(body) : '';
      for (const name of offered) expect(prompt).toContain(name);
      const outside = EVERY_TOOL.map(({ name }) => name).filter((name) => !offered.includes(name));
      expect(outside.filter((name) => new RegExp(`\\b${name}\\b`).test(prompt))).toEqual([]);
    });

    if (mode === 'chat') return;

    test('an invented call is an error, and worktree and HEAD stay as they were', async () => {
      bench = await createBench(turns({ tools: BREAK_OUT }, { text: 'No.' }, { text: 'No, really.' }));
      const { id: agentId } = bench.spaces.addAgent('engineer');
      const { id: conversationId } = bench.spaces.addConversation(mode, [bench.repository.source]);
      const before = bench.repository.sourceState();
      const process = await bench.process();
      const { id } = await process.createRun({ agentId, conversationId });
      await process.settled(id);
      const { items } = await process.json<{ items: { entry: Record<string, unknown> }[] }>(
        'GET',
        `${WORKSPACE}/runs/${id}/entries`,
      );
      const entries = items.map(({ entry }) => entry);
      const results = entries.filter(({ kind }) => kind === 'toolFinished');
      expect(results.map(({ isError }) => isError)).toEqual(BREAK_OUT.map(() => true));
      expect(entries.filter(({ kind }) => kind === 'toolStarted')).toEqual([]);
      const ref = { workspaceId: WORKSPACE, conversationId, repository: 'app' };
      const { dirty, head, base } = await process.runner.gitStatus(ref);
      expect([dirty, head]).toEqual([[], base]);
      expect(bench.repository.sourceState()).toEqual(before);
    });
  });
}
