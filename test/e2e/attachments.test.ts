import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, type RequestBlock } from '../model/messages-request.ts';
import { ownerToken, type ServerProcess } from './server-process.ts';
import { createStage, type Stage } from './stage.ts';
import { startThree } from './three-processes.ts';
import {
  call,
  createWorld,
  founded,
  type Json,
  onWord,
  runOf,
  scriptOf,
  spaceWith,
  toolCall,
  toolResults,
  type World,
} from './world.ts';

/** One transparent pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TEXT = 'The total is wrong.\nÄ customer says so.\n';
const NAMED = /Attachment: (".*?") \((\S+), (\d+) bytes\), read it with read_attachment (att_[a-z0-9]+)/g;

let world: World;
let ws: string;
let space: Json;

/** The model reads everything that is named to it. */
function readsAll() {
  return scriptOf(
    onWord(
      'Attachment:',
      ({ messages }) => {
        const asked = blocksOf(messages.at(-1)?.content).map(({ text = '' }) => text);
        const ids = [...asked.join('').matchAll(NAMED)].map(([, , , , id]) => id);
        return { tools: ids.map((attachmentId) => toolCall('read_attachment', { attachmentId })) };
      },
      { text: 'I have seen all.' },
    ),
  );
}

beforeAll(async () => {
  world = await createWorld(readsAll());
  letModelsSee(world.stage.dataDir);
  await world.restart();
  const { ws: at, agents } = await founded(world, 'Attachments');
  ws = at;
  space = await spaceWith(world, ws, agents.engineer ?? '', { mode: 'plan' });
});
afterAll(() => world.end());

function letModelsSee(dataDir: string): void {
  const path = join(dataDir, 'models.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as { models: object[] };
  const models = file.models.map((model) => ({ ...model, media: ['image', 'pdf'] }));
  writeFileSync(path, JSON.stringify({ ...file, models }));
}

const attach = (name: string, base64: string, mediaType = '') =>
  world.ok('POST', `${ws}/conversations/${space.mainConversationId}/attachments`, {
    name,
    mediaType,
    base64,
  });

/** The content of each tool result, in the order of the calls. */
function resultsShown(): RequestBlock[][] {
  const told = world.model.requests.map(({ body }) => blocksOf(body.messages.at(-1)?.content));
  const results = told.find((blocks) => blocks.some(({ type }) => type === 'tool_result')) ?? [];
  return results.filter(({ type }) => type === 'tool_result').map(({ content }) => blocksOf(content));
}

test('an agent reads the image and the text that a person attached, also after a restart in between', async () => {
  const image = await attach('shot.png', PNG);
  const notes = await attach('notes.txt', Buffer.from(TEXT).toString('base64'), 'text/plain');
  await world.restart();
  const path = `${ws}/conversations/${space.mainConversationId}/messages`;
  const { message } = await world.ok('POST', path, { body: '', attachments: [image.id, notes.id] });
  expect(message.attachments).toEqual([
    { id: image.id, name: 'shot.png', mediaType: 'image/png', size: image.size },
    { id: notes.id, name: 'notes.txt', mediaType: 'text/plain', size: Buffer.byteLength(TEXT) },
  ]);
  const run = await runOf(world, ws, message.id);
  expect((await toolResults(world, ws, run.id)).map(({ isError }) => isError)).toEqual([false, false]);
  const [seen, read] = resultsShown();
  expect(seen).toMatchObject([
    { type: 'text', text: expect.stringContaining('shot.png (image/png, 1×1 pixels') },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
  ]);
  expect(read?.map(({ text }) => text)).toEqual([TEXT]);
  const { items } = await world.ok('GET', `${ws}/events`);
  const added = items.filter(({ type }: Json) => type === 'attachment.added');
  expect(added.map(({ subject, data }: Json) => [subject, Object.keys(data)])).toEqual(
    [image.id, notes.id].map((id) => [id, ['conversationId', 'name', 'size']]),
  );
});

test('what was attached is downloaded as it was, by those with a token alone', async () => {
  const { id, sha256 } = await attach('page.html', btoa('<script>alert(1)</script>'), 'text/html');
  const url = `${world.server.url}${ws}/attachments/${id}/content`;
  expect((await fetch(url)).status).toBe(401);
  const { body } = await world.api('GET', `${ws}/attachments/${id}/content`);
  expect(body).toEqual({ text: '<script>alert(1)</script>' });
  expect(await world.ok('GET', `${ws}/attachments/${id}`)).toMatchObject({
    id,
    sha256,
    mediaType: 'text/html',
  });
});

test('five megabytes go through the edge, and more is refused', async () => {
  const path = `${ws}/conversations/${space.mainConversationId}/attachments`;
  const send = (bytes: number) =>
    world.api('POST', path, { name: 'x', base64: Buffer.alloc(bytes, 'x').toString('base64') });
  expect(await send(5 << 20)).toMatchObject({ status: 201, body: { size: 5 << 20 } });
  expect((await send((5 << 20) + 1)).body.code).toBe('too_large');
  expect((await send(7 << 20)).body.code).toBe('too_large');
});

describe('with a process for each service', () => {
  let stage: Stage;
  let servers: ServerProcess[] = [];
  beforeAll(async () => {
    stage = createStage(readsAll());
    servers = await startThree(stage.env);
  }, 30_000);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await stage.remove();
  });

  test('agents read what was attached at another process than theirs', async () => {
    // Asked of the third, which has neither the people nor the agents.
    const ok = async (method: string, path: string, body?: unknown) => {
      const authorization = `Bearer ${ownerToken(stage.dataDir)}`;
      const answer = await call(servers[2]?.url ?? '', method, path, body, { authorization });
      if (answer.status < 300) return answer.body;
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    };
    const three: World = { ...world, ok };
    const { ws: at, agents } = await founded(three, 'Three');
    const { mainConversationId } = await spaceWith(three, at, agents.qa ?? '');
    const conversation = `${at}/conversations/${mainConversationId}`;
    const text = `${'x'.repeat(99)}\n`.repeat(40_000);
    const file = { name: 'long.txt', base64: btoa(text) };
    const { id } = await ok('POST', `${conversation}/attachments`, file);
    expect(await ok('GET', `${at}/attachments/${id}/content`)).toEqual({ text });
    const { message } = await ok('POST', `${conversation}/messages`, { body: 'Read it.', attachments: [id] });
    const run = await runOf(three, at, message.id);
    const [result] = await toolResults(three, at, run.id);
    expect(result).toMatchObject({ isError: false, content: expect.stringContaining('of 40000; read on') });
  });
});
