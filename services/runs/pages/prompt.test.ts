import { afterEach, expect, test } from 'bun:test';
import { type Bench, createBench, type Process, until, WORKSPACE } from '../test-bench.ts';
import { calls, dialogues, onWord } from '../test-dialogues.ts';
import type { StartPrompt } from './prompt-store.ts';

let bench: Bench;
afterEach(() => bench.close());

const SECRET = 'sk-a-secret-of-the-server';

const starts = async (process: Process, id: string) =>
  (await process.json<{ runId: string; starts: StartPrompt[] }>('GET', `${WORKSPACE}/runs/${id}/prompt`))
    .starts;

test('what each start sent is kept once for each that differs, without secrets', async () => {
  bench = await createBench(
    dialogues(onWord('ask', calls(['ask_user', { question: 'Which?' }]), { text: 'Done.' })),
  );
  const agent = bench.spaces.addAgent('engineer', { persona: `Careful. ${SECRET}` });
  const { id: conversationId } = bench.spaces.addConversation('chat');
  const deps = { secrets: [SECRET] };
  const first = await bench.process({ deps });
  const { id } = await first.createRun({ agentId: agent.id, conversationId, prompt: `ask ${SECRET}` });
  const { waitingFor } = await first.settled(id);
  const sent = bench.model.requests[0];
  const [only, ...more] = await starts(first, id);
  expect(more).toEqual([]);
  expect(only?.prompt).toContain('ask');
  expect(JSON.stringify(only)).not.toContain(SECRET);
  const system = (sent!.body as { system: { text: string }[] }).system.map(({ text }) => text);
  expect(only?.system.map(({ text }) => text)).toEqual(system);
  await first.stop();

  // Nothing is different: the same start once more.
  const second = await bench.process({ deps });
  expect(await starts(second, id)).toEqual([only as StartPrompt]);
  bench.spaces.agents.set(agent.id, { ...agent, persona: 'Bold.' });
  await bench.spaces.decide(waitingFor as string, 'approved', { answer: 'That.' });
  await until(
    async () => (await second.settled(id)).status,
    (status) => status === 'completed',
  );
  const [latest, earlier] = await starts(second, id);
  expect(latest?.system[0]?.text).toContain('Bold.');
  expect(earlier).toEqual(only as StartPrompt);
  expect(latest?.prompt).toBe(only?.prompt as string);
  const queued = await second.createRun({ agentId: agent.id, conversationId, prompt: 'ask' });
  expect((await starts(second, queued.id)).length).toBeLessThanOrEqual(1);
}, 20_000);
