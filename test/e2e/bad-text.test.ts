import { afterAll, beforeAll, expect, test } from 'bun:test';
import { DEMO_PROPOSAL } from '../../scripts/demo/demo-proposal.ts';
import { createWorld, founded, type Json, scriptOf, spaceWith, type World } from './world.ts';

/** What names something else, and is left out unless it is the text's place. */
const REF = 'reference';
/** What must be new each time. */
const KEY = 'key';
const SLUG = 'slug';

let world: World;
let ws: string;
let bodies: [string, string, Json][];

beforeAll(async () => {
  world = await createWorld(scriptOf());
  const workspace = await founded(world, 'alpha');
  ws = workspace.ws;
  const { ceo, qa } = workspace.agents;
  const room = await spaceWith(world, ws, ceo!);
  const ticket = await world.ok('POST', `${ws}/tickets`, { title: 'a ticket' });
  const talk = `${ws}/conversations/${room.mainConversationId}/messages`;
  const { message } = await world.ok('POST', talk, { body: 'a message', kind: 'notice' });
  const here = { spaceId: room.id, conversationId: room.mainConversationId };
  bodies = [
    ['POST', '/api/workspaces', { name: 'text', key: KEY }],
    [
      'POST',
      `${ws}/agents`,
      {
        name: SLUG,
        title: 'text',
        persona: 'text',
        systemPrompt: 'text',
        skills: ['text'],
        adapterId: REF,
        modelId: REF,
        effort: REF,
        key: KEY,
      },
    ],
    [
      'PATCH',
      `${ws}/agents/${qa}`,
      { title: 'text', persona: 'text', systemPrompt: 'text', skills: ['text'], effort: REF, version: 1 },
    ],
    ['POST', `${ws}/spaces`, { name: 'text', agents: [REF], repositories: [REF], key: KEY }],
    ['PATCH', `${ws}/spaces/${room.id}`, { name: 'text' }],
    ['POST', `${ws}/spaces/${room.id}/conversations`, { title: 'text', parentMessageId: REF, key: KEY }],
    [
      'POST',
      talk,
      { kind: 'notice', body: 'text', data: { text: 'text', deep: [{ text: 'text' }] }, key: KEY },
    ],
    ['PATCH', `${ws}/messages/${message.id}`, { body: 'text', data: { text: 'text' } }],
    [
      'POST',
      `${ws}/tickets`,
      {
        title: 'text',
        description: 'text',
        labels: ['text'],
        parentId: REF,
        projectId: REF,
        spaceId: REF,
        assignee: REF,
        key: KEY,
      },
    ],
    [
      'PATCH',
      `${ws}/tickets/${ticket.id}`,
      { title: 'text', description: 'text', labels: ['text'], assignee: REF },
    ],
    ['POST', `${ws}/tickets/${ticket.id}/comments`, { body: 'text', key: KEY }],
    ['POST', `${ws}/tickets/${ticket.id}/links`, { kind: 'blocks', to: 'text' }],
    ['POST', `${ws}/projects`, { name: 'text', description: 'text', key: KEY }],
    ['POST', `${ws}/teams`, { name: 'text', members: [REF], key: KEY }],
    [
      'POST',
      `${ws}/runs`,
      {
        agentId: ceo,
        prompt: 'text',
        trigger: { kind: 'assignment', id: 'text' },
        budgetScope: 'text',
        key: KEY,
      },
    ],
    ['POST', `${ws}/runs/cancel`, { budgetScope: 'text' }],
    ['POST', `${ws}/repositories/inspect`, { path: 'text' }],
    [
      'POST',
      `${ws}/plans`,
      { ...here, goal: 'text', nodes: [{ key: 'a', title: 'text', description: 'text' }], key: KEY },
    ],
    [
      'POST',
      `${ws}/orchestrations`,
      {
        ...here,
        proposal: { ...DEMO_PROPOSAL, goal: 'text', discussion: { question: 'text' } },
        key: KEY,
      },
    ],
  ];
});
afterAll(() => world.end());

type Path = (string | number)[];

/** Where the body has a text. */
function places(value: unknown, path: Path = []): Path[] {
  if (['text', REF, KEY, SLUG].includes(value as string)) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    places(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

let count = 0;

/** The body with the text at the place, and with what is sound everywhere else. */
function withText(value: unknown, at: Path | null, text: string): unknown {
  if (at?.length === 0) return text;
  if (value === KEY || value === SLUG) return `fresh-${count++}`;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const rest = at !== null && String(at[0]) === key ? at.slice(1) : null;
    return item === REF && rest === null ? [] : [[key, withText(item, rest, text)]];
  });
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

const shown = (path: Path) =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${part}` : part),
    '',
  );

async function everyField(
  text: string,
  look: (answer: { status: number; body: Json }, place: string) => string | null,
) {
  const odd: string[] = [];
  for (const [method, path, body] of bodies) {
    for (const place of places(body)) {
      const answer = await world.api(method, path, withText(body, place, text));
      const fault = look(answer, shown(place));
      if (fault)
        odd.push(
          `${method} ${path.replace(ws, '')} ${shown(place)}: ${fault} ${JSON.stringify(answer).slice(0, 300)}`,
        );
    }
  }
  return odd;
}

test.each([
  ['a NUL', 'a\0b', 'must not contain the NUL character'],
  ['half a pair', 'a\ud800b', 'must be well-formed Unicode'],
  ['the other half', '\udfff', 'must be well-formed Unicode'],
])('%s is refused in every text field, by its path', async (_, text, message) => {
  const odd = await everyField(text, ({ status, body }, place) =>
    status === 400 && body.code === 'invalid_request' && body.detail.includes(`${place}: ${message}`)
      ? null
      : 'not refused',
  );
  expect(odd).toEqual([]);
});

test.each([
  ['an escape sequence', 'a\u001b[31mb'],
  ['a carriage return', 'a\rb'],
  ['marks that reorder text', 'a\u202eb\u2066c'],
  ['a line separator', 'a\u2028b'],
  ['a byte order mark', '\ufeffa'],
  ['a pair and a joiner', 'a\u{1f469}\u200d\u{1f52c}b'],
])('%s is kept as it is or refused in every text field, never changed', async (_, text) => {
  const odd = await everyField(text, ({ status, body }) => {
    if (status >= 400 && status < 500) return body.code ? null : 'no code';
    if (status >= 300) return 'an error of its own';
    return isKept(body, text) ? null : 'changed';
  });
  expect(odd.filter((line) => !NOT_SHOWN.test(line))).toEqual([]);
});

/** The answer to these does not repeat the field. */
const NOT_SHOWN = / (key|prompt|proposal\.discussion\.question): changed|runs\/cancel budgetScope: changed/;

function isKept(body: Json, text: string): boolean {
  return (
    JSON.stringify(body).includes(JSON.stringify(text).slice(1, -1)) ||
    JSON.stringify(body).includes(JSON.stringify(text.trim()).slice(1, -1))
  );
}

test('after all that the server had no error of its own', () => {
  expect(world.server.stderr()).toBe('');
});
