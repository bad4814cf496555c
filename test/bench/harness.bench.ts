import Anthropic from '@anthropic-ai/sdk';
import { type Client, createClient } from '../../scripts/cli/client/client.ts';
import { ownerToken, startServerProcess } from '../e2e/server-process.ts';
import { createStage } from '../e2e/stage.ts';
import type { ModelScript } from '../model/script.ts';
import type { ScriptedModel } from '../model/server.ts';
import type { BenchRow } from './core.bench.ts';
import { limitRow } from './limit.ts';

const MESSAGES = 40;
const ROUNDS = 7;
const TURNS = 40;

const script: ModelScript = {
  name: 'overhead',
  dialogues: [
    {
      name: 'tools',
      when: { user: 'TOOLS' },
      turns: [
        ...Array.from({ length: TURNS }, (_, i) => ({
          tools: [{ name: 'list_tickets', input: { parentId: `tkt_${i}` } }],
        })),
        { text: 'Done.' },
      ],
    },
  ],
  otherwise: { text: 'Pong.' },
};

/** What the server adds to a model's own time: before the first request of a message, and at each tool turn. */
export async function harnessBench(): Promise<BenchRow[]> {
  const stage = createStage();
  stage.model.setScript(script);
  const server = await startServerProcess(stage.env);
  try {
    const client = createClient({ url: server.url, token: ownerToken(stage.dataDir), patienceMs: 5_000 });
    const room = await chatRoom(client, stage.repository);
    const firstBytes = await timesToFirstByte(client, room, stage.model);
    const added = await addedTurnTimes(client, room, stage.model);
    return [
      limitRow('message accepted to model request', firstBytes, 15, 'ms'),
      limitRow('added time a tool turn over a bare SDK loop', added, 5, 'ms'),
    ];
  } finally {
    server.kill();
    await stage.remove();
  }
}

interface Room {
  workspaceId: string;
  conversationId: string;
}

async function chatRoom(client: Client, repository: string): Promise<Room> {
  const workspace = await client.createWorkspace('bench', 'bench/workspace');
  while ((await client.workspace(workspace.id)).state !== 'ready') await Bun.sleep(20);
  const engineer = (await client.agents(workspace.id)).find((agent) => agent.name === 'engineer');
  const space = await client.createSpace(
    workspace.id,
    {
      name: 'bench',
      mode: 'chat',
      agents: engineer ? [engineer.id] : [],
      repositories: [{ name: 'invoices', path: repository }],
    },
    'bench/space',
  );
  return { workspaceId: workspace.id, conversationId: space.mainConversationId };
}

async function timesToFirstByte(client: Client, room: Room, model: ScriptedModel): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i <= MESSAGES; i++) {
    const text = `ping ${i} of the bench`;
    const arrival = model.waitForRequest((request) =>
      JSON.stringify(request.body.messages.at(-1)).includes(text),
    );
    await client.postMessage(room.workspaceId, room.conversationId, text, `bench/${i}`);
    const acceptedAt = Date.now();
    times.push(Math.max(0, (await arrival).at - acceptedAt));
    await runsEnded(client, room);
  }
  // The first message also opens the worktree, once for the conversation.
  return times.slice(1);
}

async function runsEnded(client: Client, { workspaceId, conversationId }: Room): Promise<void> {
  const live = async () =>
    (await client.runs(workspaceId, { conversationId })).some((run) => run.endedAt === null);
  while (await live()) await Bun.sleep(5);
}

async function addedTurnTimes(client: Client, room: Room, model: ScriptedModel): Promise<number[]> {
  const added: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await meanTurn(model, async () => {
      await client.postMessage(
        room.workspaceId,
        room.conversationId,
        `TOOLS ${round}`,
        `bench/tools/${round}`,
      );
      await model.waitForRequest((request) => request.turn === TURNS && isOf(request, round), 60_000);
      await runsEnded(client, room);
    });
    added.push(ours - (await meanTurn(model, () => bareLoop(model.url))));
  }
  return added;
}

/** Whether it is a request of the run that this round woke; those of earlier rounds are remembered too. */
function isOf({ body }: ScriptedModel['requests'][number], round: number): boolean {
  return JSON.stringify(body.messages[0]).includes(`TOOLS ${round}`);
}

/** Mean time from one request to the next while `work` runs, ms. */
async function meanTurn(model: ScriptedModel, work: () => Promise<void>): Promise<number> {
  const from = model.requests.length;
  await work();
  const at = model.requests.slice(from).map((request) => request.at);
  model.setScript(script);
  return (at.at(-1)! - at[0]!) / (at.length - 1);
}

async function bareLoop(baseURL: string): Promise<void> {
  const sdk = new Anthropic({ baseURL, apiKey: 'none', maxRetries: 0 });
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'TOOLS' }];
  for (;;) {
    const answer = await sdk.messages
      .stream({
        model: 'scripted-model',
        max_tokens: 1000,
        messages,
        tools: [{ name: 'list_tickets', input_schema: { type: 'object' } }],
      })
      .finalMessage();
    messages.push({ role: 'assistant', content: answer.content });
    const calls = answer.content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return;
    messages.push({
      role: 'user',
      content: calls.map((call) => ({ type: 'tool_result', tool_use_id: call.id, content: 'none' })),
    });
  }
}
