import { afterEach, expect, test } from 'bun:test';
import { type Bench, createBench, turns, until } from '../test-bench.ts';

let bench: Bench;
afterEach(() => bench.close());

test('a message is told to its agent however much was written since', async () => {
  bench = await createBench(turns({ text: 'Done.' }));
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation('chat');
  await bench.spaces.say(conversation.id, 'Paint it blue.', [agentId]);
  for (let n = 0; n < 300; n++) await bench.spaces.say(conversation.id, `Aside ${n}.`, []);
  await bench.process();
  await until(
    () => bench.events('run.ended'),
    (events) => events.length === 1,
  );
  const [request] = bench.model.requests;
  expect(JSON.stringify(request?.body.messages.at(-1))).toContain('asks you now:\\n\\nPaint it blue.');
});
