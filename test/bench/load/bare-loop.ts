import Anthropic from '@anthropic-ai/sdk';

/**
 * The least that an agent loop can be: the SDK, a list of messages, a tool that gives a constant. Runs many at once in this
 * process and prints what it took. Usage: bun bare-loop.ts MODEL_URL RUNS
 */
const [url, runs] = process.argv.slice(2);
const sdk = new Anthropic({ baseURL: url!, apiKey: 'none', maxRetries: 0 });
const TOOLS: Anthropic.Tool[] = [
  { name: 'list_tickets', description: 'Lists tickets.', input_schema: { type: 'object' } },
];

async function loop(name: string): Promise<void> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'TOOLS' }];
  for (;;) {
    const stream = sdk.messages.stream({
      model: 'scripted-model',
      max_tokens: 16_384,
      metadata: { user_id: name },
      tools: TOOLS,
      messages,
    });
    const answer = await stream.finalMessage();
    messages.push({ role: 'assistant', content: answer.content });
    const calls = answer.content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return;
    messages.push({
      role: 'user',
      content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: '(no tickets)' })),
    });
  }
}

const before = process.cpuUsage();
await Promise.all(Array.from({ length: Number(runs) }, (_, i) => loop(`bare_${i}`)));
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${JSON.stringify({ cpuMicros: user + system })}\n`);
