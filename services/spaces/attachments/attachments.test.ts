import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ACTOR_HEADER, type Actor } from '../../kit/actor.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';
import { contentHeaders, typeOf } from './content.ts';
import { NewAttachment } from './schema.ts';
import { createSweeper } from './sweeper.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and what follows', 'latin1');
const DAY_MS = 24 * 3_600_000;

const directory = temporaryDirectory();
let open: OpenSpaces;
let ws: string;
let at: string;
let room: { id: string; mainConversationId: string };
let folder: string;
let nowMs = Date.now();

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path, clock: () => nowMs });
  ws = await readyWorkspace(open, 'Attachments');
  at = `/workspaces/${ws}`;
  const [agent] = (await open.call('GET', `${at}/agents`)).body.items;
  room = (await open.call('POST', `${at}/spaces`, { name: 'Room', agents: [agent.id] })).body;
  folder = join(directory.path, 'workspaces', ws, 'attachments');
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const attach = (name: string, bytes: Uint8Array | string, more: object = {}, actor?: Actor) => {
  const base64 = Buffer.from(bytes).toString('base64');
  const path = `${at}/conversations/${room.mainConversationId}/attachments`;
  return open.call('POST', path, { name, base64, ...more }, actor);
};
const attached = async (name: string, bytes: Uint8Array | string, more: object = {}) =>
  (await attach(name, bytes, more)).body;
const post = (body: object, actor?: Actor) =>
  open.call('POST', `${at}/conversations/${room.mainConversationId}/messages`, body, actor);
const content = (id: string, headers: Record<string, string> = {}) =>
  open.spaces.app.request(`/api${at}/attachments/${id}/content`, {
    headers: { [ACTOR_HEADER]: open.person, ...headers },
  });
const message = ({ body }: { body: { errors: { faults: { message: string }[] } } }) =>
  body.errors.faults.map((fault) => fault.message).join('; ');

describe('an attachment', () => {
  test('is a file on the disk, a row and an event that names it', async () => {
    const { status, body } = await attach('shot.png', PNG, { mediaType: 'text/html' });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...{ id: expect.stringMatching(/^att_/), conversationId: room.mainConversationId, name: 'shot.png' },
      ...{ mediaType: 'image/png', size: PNG.length, sha256: createHash('sha256').update(PNG).digest('hex') },
      ...{ createdAt: nowMs, author: open.person, messageId: null },
    });
    expect(readFileSync(join(folder, body.id))).toEqual(PNG);
    expect(statSync(join(folder, body.id)).mode & 0o777).toBe(0o600);
    expect((await open.call('GET', `${at}/attachments/${body.id}`)).body).toEqual(body);
    const [event] = (await open.events(ws, 'attachment.added')).slice(-1);
    const data = { conversationId: room.mainConversationId, name: 'shot.png', size: PNG.length };
    expect(event).toMatchObject({ actor: open.person, subject: body.id, data });
  });

  test('is what its bytes are; of a text alone counts what was said', async () => {
    const typeOf = async (bytes: Uint8Array | string, mediaType?: string) =>
      (await attached('x', bytes, { mediaType })).mediaType;
    expect(await typeOf('%PDF-1.7', 'image/png')).toBe('application/pdf');
    expect(await typeOf('plain äöü')).toBe('text/plain');
    expect(await typeOf('# Title', 'text/markdown; charset=utf-8')).toBe('text/markdown');
    expect(await typeOf('{}', 'application/json')).toBe('application/json');
    expect(await typeOf('<svg onload="x"/>', 'image/svg+xml')).toBe('text/plain');
    expect(await typeOf('text', 'text/"><script>')).toBe('text/plain');
    expect(await typeOf('')).toBe('text/plain');
    expect(await typeOf(Buffer.from([0xff, 0xfe, 0x41, 0x00]), 'text/plain')).toBe(
      'application/octet-stream',
    );
    expect(await typeOf('a\0b', 'text/plain')).toBe('application/octet-stream');
  });

  test('made again under its key is the same one, and leaves no second file', async () => {
    const files = () => readdirSync(folder).length;
    const first = await attached('a.txt', 'a', { key: 'once' });
    const before = files();
    const [again, other] = await Promise.all([
      attached('a.txt', 'a', { key: 'once' }),
      ...[attached('b.txt', 'b', { key: 'twins' }), attached('b.txt', 'b', { key: 'twins' })],
    ]);
    expect(again).toEqual(first);
    expect(readFileSync(join(folder, other.id), 'utf8')).toBe('b');
    expect(files()).toBe(before + 1);
  });

  test('has a name that is one line and no path, and bytes of a size that can be held', async () => {
    for (const name of [
      '',
      ' ',
      'a/b',
      'a\\b',
      '.',
      '..',
      'a\nb',
      'a\u2028b',
      'fdp\u202e.exe',
      'x'.repeat(256),
    ])
      expect([name, (await attach(name, 'x')).status]).toEqual([name, 400]);
    expect((await attached(' Bild – Ä (1).png ', PNG)).name).toBe('Bild – Ä (1).png');
    const most = Buffer.alloc(5 << 20, 'x');
    expect((await attach('most.txt', most)).body).toMatchObject({ size: most.length });
    const over = await attach('over.txt', Buffer.alloc((5 << 20) + 1));
    expect([over.status, over.body.code]).toEqual([413, 'too_large']);
    for (const base64 of ['YQ', 'Y Q==', 'YQ==\n', '_w==', 'no base64!'])
      expect([base64, (await attach('x', '', { base64 })).status]).toEqual([base64, 400]);
    const path = `${at}/conversations/cnv_none/attachments`;
    expect((await open.call('POST', path, { name: 'x', base64: '' })).body.code).toBe('not_found');
  });
});

describe('the bytes of an attachment', () => {
  test('come as they are, of their type, and nothing in them runs', async () => {
    const { id, sha256 } = await attached('Bild "é".png', PNG);
    const answer = await content(id);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `inline; filename="Bild ___.png"; filename*=UTF-8''Bild%20%22%C3%A9%22.png`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      etag: `"${sha256}"`,
    });
    const known = await content(id, { 'if-none-match': `"other", W/"${sha256}"` });
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', `"${sha256}"`]);
    expect((await content(id, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('are offered for saving unless they are an image, a PDF or plain text', async () => {
    const headersOf = async (bytes: Uint8Array | string, mediaType = '') => {
      const { headers } = await content((await attached('x', bytes, { mediaType })).id);
      return [headers.get('content-type'), headers.get('content-disposition')?.split(';')[0]];
    };
    expect(await headersOf('%PDF-1.7')).toEqual(['application/pdf', 'inline']);
    expect(await headersOf('é')).toEqual(['text/plain; charset=utf-8', 'inline']);
    expect(await headersOf('<b>', 'text/html')).toEqual(['text/html; charset=utf-8', 'attachment']);
    expect(await headersOf(Buffer.of(0))).toEqual(['application/octet-stream', 'attachment']);
  });

  test('that are gone from the disk are told as that, and of no attachment there are none', async () => {
    const { id } = await attached('gone.txt', 'x');
    rmSync(join(folder, id));
    const gone = await content(id);
    expect(gone.status).toBe(404);
    expect(await gone.json()).toMatchObject({ code: 'file_not_found' });
    expect((await content('att_none')).status).toBe(404);
    expect((await content('..%2Fworkspace.db')).status).toBe(404);
  });
});

test('whatever a file is called and holds, its headers say the name, and no type that a page could have', () => {
  const facts = {
    id: 'att_1',
    conversationId: 'cnv_1',
    author: 'person:mem_1',
    size: 1,
    sha256: 'd',
  } as const;
  const headersOf = (name: string, mediaType: string) =>
    new Headers(contentHeaders({ ...facts, name, mediaType, createdAt: 0, messageId: null }));
  const anyName = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(anyName, fc.uint8Array({ maxLength: 20 }), fc.string(), (given, bytes, said) => {
      const parsed = NewAttachment.safeParse({ name: given, base64: '' });
      if (!parsed.success) return;
      const headers = headersOf(parsed.data.name, typeOf(bytes, said));
      const [how, full] = (headers.get('content-disposition') ?? '').split(
        /; filename="[^"]*"; filename\*=UTF-8''/,
      );
      expect(decodeURIComponent(full ?? '')).toBe(parsed.data.name);
      const type = headers.get('content-type') ?? '';
      expect(/^(image|text|application)\/[a-z0-9.+-]+(; charset=utf-8)?$/.test(type)).toBe(true);
      if (how === 'inline')
        expect(type).toMatch(/^image\/(png|jpeg|gif|webp)$|^application\/pdf$|^text\/plain;/);
    }),
  );
});

describe('a message', () => {
  test('has its attachments in its order, needs no words besides, and keeps them', async () => {
    const [one, two] = [await attached('1.txt', 'one'), await attached('2.png', PNG)];
    const { status, body } = await post({ body: '', attachments: [two.id, one.id] });
    expect(status).toBe(201);
    const shown = [two, one].map(({ id, name, mediaType, size }) => ({ id, name, mediaType, size }));
    expect(body.message.attachments).toEqual(shown);
    const path = `${at}/messages/${body.message.id}`;
    expect((await open.call('GET', path)).body.attachments).toEqual(shown);
    expect((await open.call('PATCH', path, { body: 'Words.' })).body.attachments).toEqual(shown);
    const messageId = body.message.id;
    expect((await open.call('GET', `${at}/attachments/${one.id}`)).body).toEqual({ ...one, messageId });
    const [event] = (await open.events(ws, 'message.posted')).slice(-1);
    expect(event?.data.wake).toHaveLength(1);
    expect(event?.data.attachments).toEqual(shown.map(({ mediaType, ...named }) => named));
  });

  test('without any shows that, and needs words', async () => {
    expect((await post({ body: 'Hello.' })).body.message.attachments).toEqual([]);
    expect((await post({ body: ' ', attachments: [] })).status).toBe(400);
    expect((await open.events(ws, 'message.posted')).at(-1)?.data).not.toHaveProperty('attachments');
    const list = (await open.call('GET', `${at}/conversations/${room.mainConversationId}/messages?latest=1`))
      .body;
    expect(list.items[0].attachments).toEqual([]);
  });

  test('takes all of them or is not posted: they are of this conversation, the author’s and unsent', async () => {
    const thread = (await open.call('POST', `${at}/spaces/${room.id}/conversations`, { title: 'T' })).body;
    const path = `${at}/conversations/${thread.id}/attachments`;
    const elsewhere = (await open.call('POST', path, { name: 'x', base64: '' })).body;
    const others = (await attach('x', 'x', {}, 'service:runs')).body;
    const [sent, free] = [await attached('sent', 'x'), await attached('free', 'x')];
    const first = await post({ body: 'First.', attachments: [sent.id] });
    const events = (await open.events(ws)).length;
    const refused = await post({
      body: 'All.',
      attachments: [free.id, elsewhere.id, others.id, sent.id, 'att_none'],
    });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    const places = refused.body.errors.faults.map(({ path }: { path: string }) => path);
    expect(places).toEqual([1, 2, 3, 4].map((place) => `attachments[${place}]`));
    expect(message(refused)).toMatch(
      new RegExp(
        `${thread.id}; .*made by service:runs.*; .*${first.body.message.id} already; .*no attachment`,
      ),
    );
    expect((await open.events(ws)).length).toBe(events);
    expect((await post({ body: 'One.', attachments: [free.id, 'att_none'] })).status).toBe(400);
    expect((await post({ body: 'Twice.', attachments: [free.id, free.id] })).status).toBe(400);
    const many = Array.from({ length: 21 }, (_, n) => `att_${n}`);
    expect(message(await post({ body: 'Many.', attachments: many }))).toContain('20 at most');
    expect((await post({ body: 'Now.', attachments: [free.id] })).status).toBe(201);
  });

  test('that is posted twice at once with one attachment is posted once; under one key it is one message', async () => {
    const { id } = await attached('race', 'x');
    const both = await Promise.all([
      post({ body: 'A', attachments: [id] }),
      post({ body: 'B', attachments: [id] }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    const keyed = { body: 'C', attachments: [(await attached('again', 'x')).id], key: 'keyed' };
    const [one, two] = [await post(keyed), await post(keyed)];
    expect([two.status, two.body.message]).toEqual([201, one.body.message]);
  });
});

test('what nobody sent within a day is swept up, as are files of that age without a row, and nothing else', async () => {
  const sweeper = createSweeper(open.deps);
  const sent = await attached('sent', 'x');
  const old = await attached('old', 'x');
  await post({ body: '', attachments: [sent.id] });
  nowMs += DAY_MS - 60_000;
  const young = await attached('young', 'x');
  await sweeper.sweep(ws);
  expect((await open.call('GET', `${at}/attachments/${old.id}`)).status).toBe(200);
  nowMs += 60_000;
  const past = new Date(nowMs - DAY_MS);
  for (const name of ['att_cut', 'att_x.staged']) {
    writeFileSync(join(folder, name), 'cut');
    utimesSync(join(folder, name), past, past);
  }
  writeFileSync(join(folder, 'att_now'), 'being written');
  utimesSync(join(folder, 'att_now'), new Date(nowMs), new Date(nowMs));
  await sweeper.sweep(ws);
  const there = readdirSync(folder);
  expect([sent.id, young.id, 'att_now'].filter((name) => !there.includes(name))).toEqual([]);
  expect([old.id, 'att_cut', 'att_x.staged'].filter((name) => there.includes(name))).toEqual([]);
  expect((await open.call('GET', `${at}/attachments/${old.id}`)).status).toBe(404);
  expect((await post({ body: '', attachments: [old.id] })).status).toBe(400);
  expect((await content(sent.id)).status).toBe(200);
  const removed = await open.events(ws, 'attachment.removed');
  expect(removed.find(({ subject }) => subject === old.id)).toMatchObject({ actor: 'service:spaces' });
});

test('a workspace without attachments is swept without ado', async () => {
  const other = await readyWorkspace(open, 'Empty');
  await createSweeper(open.deps).sweep(other);
  mkdirSync(join(directory.path, 'workspaces', other, 'attachments'));
  await createSweeper(open.deps).sweep(other);
  expect(await open.events(other, 'attachment.removed')).toEqual([]);
});
