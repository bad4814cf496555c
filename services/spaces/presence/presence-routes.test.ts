import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { ACTOR_HEADER, type Actor } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { readSse } from '../../kit/read-sse.ts';
import { addMember, type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';
import type { ActivitiesPort, AgentActivity } from './activities-port.ts';
import { createPresence } from './presence.ts';
import type { PresenceNews } from './presence-hub.ts';
import type { PresenceItem } from './presence-list.ts';

/** Stands in for runs: says what it is told to, and is away when it has nothing to say. */
class PlayedRuns implements ActivitiesPort {
  #activities: AgentActivity[] | null = [];
  #changed = Promise.withResolvers<void>();
  followers = 0;

  say(activities: AgentActivity[] | null): void {
    this.#activities = activities;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async read(): Promise<AgentActivity[]> {
    if (this.#activities === null) throw new Fault('unavailable', 'runs is away');
    return this.#activities;
  }

  async *follow(_: string, signal: AbortSignal): AsyncGenerator<AgentActivity[]> {
    this.followers++;
    const ended = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => ended.resolve(), { once: true });
    try {
      while (!signal.aborted) {
        const changed = this.#changed.promise;
        yield await this.read();
        await Promise.race([changed, ended.promise]);
      }
    } finally {
      this.followers--;
    }
  }
}

const directory = temporaryDirectory();
const runs = new PlayedRuns();
let open: OpenSpaces;
let ws: string;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path, activities: runs });
});
beforeEach(async () => {
  runs.say([]);
  ws = await readyWorkspace(open, 'Here');
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const list = async (): Promise<PresenceItem[]> =>
  (await open.call('GET', `/workspaces/${ws}/presence`)).body.items;
const names = (items: readonly PresenceItem[], kind: PresenceItem['kind']) =>
  items.filter((item) => item.kind === kind).map(({ name }) => name);

/** Follows a stream until `end`. */
async function follow(actor: Actor, path = 'presence/stream') {
  const response = await open.spaces.app.request(`/api/workspaces/${ws}/${path}`, {
    headers: { [ACTOR_HEADER]: actor },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const leaving = new AbortController();
  const body = response.body!.pipeThrough(new TransformStream(), { signal: leaving.signal });
  const messages = readSse(body);
  return {
    async next(): Promise<PresenceNews> {
      const { value } = await messages.next();
      return { type: value?.event, data: JSON.parse(value?.data ?? 'null') } as PresenceNews;
    },
    /** Reads on until a change holds an item like this one. */
    async until(isWanted: (item: PresenceItem) => boolean): Promise<PresenceItem> {
      for (;;) {
        const news = await this.next();
        const items = news.type === 'snapshot' ? news.data.items : news.data.changed;
        const found = items.find(isWanted);
        if (found) return found;
      }
    },
    end() {
      leaving.abort();
      // What waits to be read would hold the end up.
      messages.return(undefined).catch(() => undefined);
    },
  };
}

test('everybody is in one list: people who follow the events or this stream, and every agent', async () => {
  expect(names(await list(), 'person')).toEqual([]);
  const viewer = await addMember(open, 'viewer');
  const first = await follow(open.person, 'events?follow=1&after=0');
  await first.next();
  const second = await follow(viewer);
  const snapshot = await second.next();
  if (snapshot.type !== 'snapshot') throw new Error('no snapshot');
  const here = snapshot.data.items.filter((item) => item.kind === 'person');
  expect(here.map(({ actor, role, decides }) => [actor, role, decides])).toEqual([
    [open.person as `person:${string}`, 'owner', true],
    [viewer as `person:${string}`, 'viewer', false],
  ]);
  expect(names(snapshot.data.items, 'agent')).toEqual(['architect', 'ceo', 'engineer', 'librarian', 'qa']);
  expect(names(await list(), 'person').length).toBe(2);
  // Neither services nor agents are people, whatever they follow.
  const third = await follow('service:runs');
  await third.next();
  expect(names(await list(), 'person').length).toBe(2);
  for (const reader of [first, second, third]) reader.end();
});

test('what agents are about comes as it changes, unknown while runs is away, and again when it is back', async () => {
  const [agent] = (await list()).filter((item) => item.kind === 'agent');
  const agentId = agent!.actor.slice('agent:'.length);
  const about: AgentActivity = {
    ...{ agentId, state: 'thinking', tool: null, runId: 'run_1', conversationId: 'cnv_1' },
    ...{ spaceId: null, approvalId: null, since: 7 },
  };
  const reader = await follow(open.person);
  const isAgent = (item: PresenceItem) => item.actor === agent!.actor;
  expect(await reader.until(isAgent)).toMatchObject({ activity: { state: 'neverRun' } });
  runs.say([{ ...about, state: 'runningTool', tool: 'read_file' }]);
  expect(await reader.until(isAgent)).toMatchObject({
    activity: { state: 'runningTool', tool: 'read_file' },
  });
  runs.say(null);
  expect(await reader.until(isAgent)).toMatchObject({ activity: null });
  expect((await list()).find(isAgent)).toMatchObject({ activity: null });
  runs.say([about]);
  expect(await reader.until(isAgent)).toMatchObject({ activity: about });
  reader.end();
});

test('a new agent is in the list of those who follow, and a burst of changes is told as its end', async () => {
  const reader = await follow(open.person);
  await reader.next();
  await open.call('POST', `/workspaces/${ws}/agents`, { name: 'scout', title: 'The scout' });
  expect(await reader.until(({ name }) => name === 'scout')).toMatchObject({ title: 'The scout' });
  const scout = (await list()).find(({ name }) => name === 'scout')!;
  const agentId = scout.actor.slice('agent:'.length);
  const about = (n: number): AgentActivity => ({
    ...{ agentId, state: 'runningTool', tool: `tool_${n}`, runId: 'run_1', conversationId: null },
    ...{ spaceId: null, approvalId: null, since: n },
  });
  let changes = 0;
  for (let n = 0; n <= 200; n++) {
    runs.say([about(n)]);
    if (n % 10 === 0) await new Promise(setImmediate);
  }
  await reader.until((item) => {
    if (item.actor !== scout.actor) return false;
    changes++;
    return item.kind === 'agent' && (item.activity as AgentActivity).tool === 'tool_200';
  });
  expect(changes).toBeLessThan(20);
  reader.end();
});

test('those who follow share one way to runs, which ends with the last of them', async () => {
  const readers = [await follow(open.person), await follow(open.person), await follow(open.person)];
  await Promise.all(readers.map((reader) => reader.next()));
  expect(runs.followers).toBe(1);
  for (const reader of readers) reader.end();
  const giveUpAt = Date.now() + 5_000;
  while (runs.followers > 0 && Date.now() < giveUpAt) await new Promise(setImmediate);
  expect(runs.followers).toBe(0);
});

test('a reader that does not read holds up nobody, and has the latest when it reads again', async () => {
  const slow = await follow(open.person);
  await slow.next();
  const agent = (await list()).find((item) => item.kind === 'agent')!;
  const about: AgentActivity = {
    ...{ agentId: agent.actor.slice('agent:'.length), state: 'runningTool', runId: 'run_1' },
    ...{ conversationId: null, spaceId: null, approvalId: null, since: 1, tool: 'first' },
  };
  const quick = await follow(open.person);
  const shows = (tool: string) => (item: PresenceItem) =>
    item.kind === 'agent' && item.activity !== null && 'tool' in item.activity && item.activity.tool === tool;
  for (const tool of ['first', 'second', 'third', 'last']) {
    runs.say([{ ...about, tool }]);
    await quick.until(shows(tool));
  }
  let read = 0;
  await slow.until((item) => {
    read++;
    return shows('last')(item);
  });
  expect(read).toBeLessThan(4);
  slow.end();
  quick.end();
});

test('what somebody looks at is shown while its stream is open, each once, in the order of coming to it', async () => {
  const reader = await follow(open.person);
  const person = (item: PresenceItem) => item.actor === open.person;
  const looksAt = (...wanted: string[]) =>
    reader.until((item) => person(item) && item.kind === 'person' && Bun.deepEquals(item.focus, wanted));
  const at = (focus: string) => follow(open.person, `presence/stream?focus=${encodeURIComponent(focus)}`);
  expect(await looksAt()).toMatchObject({ memberId: open.person.slice('person:'.length), focus: [] });
  const first = await at('space:spc_1');
  await first.next();
  const again = await at('space:spc_1');
  await again.next();
  await looksAt('space:spc_1');
  const second = await at('approval:apr_1');
  await second.next();
  await looksAt('space:spc_1', 'approval:apr_1');
  first.end();
  again.end();
  await looksAt('approval:apr_1');
  second.end();
  await looksAt();
  expect((await list()).find(person)).toMatchObject({ focus: [] });
  for (const wrong of ['%0a', 'x'.repeat(201), '%20']) {
    expect((await open.call('GET', `/workspaces/${ws}/presence/stream?focus=${wrong}`)).status).toBe(400);
  }
  reader.end();
});

test('there is no presence in a workspace that is not', async () => {
  for (const path of ['presence', 'presence/stream']) {
    expect((await open.call('GET', `/workspaces/ws_none/${path}`)).body).toMatchObject({ code: 'not_found' });
  }
});

test('who leaves is shown a moment longer, and has not been away when back in time', async () => {
  let now = 100;
  const presence = createPresence(() => now, 30);
  const changes: string[][] = [];
  const gone = Promise.withResolvers<void>();
  presence.onChange((id) => {
    changes.push(presence.people(id).map(({ memberId, since }) => `${memberId} ${since}`));
    if (presence.people(id).length === 0) gone.resolve();
  });
  const person = { memberId: 'mem_1', decides: true };
  presence.connect('ws_1', person)();
  now = 200;
  const leave = presence.connect('ws_1', person);
  presence.connect('ws_1', { ...person, decides: false })();
  expect(presence.people('ws_1')).toEqual([{ memberId: 'mem_1', since: 100, decides: true, focus: [] }]);
  leave();
  await gone.promise;
  expect(changes.at(-1)).toEqual([]);
  expect(presence.people('ws_2')).toEqual([]);
});
