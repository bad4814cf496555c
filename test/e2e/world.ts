import type { ModelScript, ScriptedTurn, TurnSource } from '../model/script.ts';
import type { ScriptedModel } from '../model/server.ts';
import { ownerToken, type ServerProcess, startServerProcess } from './server-process.ts';
import { createStage, type Stage } from './stage.ts';

/** An entity as it came over the wire. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every route
export type Json = Record<string, any>;

export interface Answer {
  status: number;
  /** The JSON document; a text that is none stands in `text`. */
  body: Json;
}

/** A real server process on a stage of its own, and the owner's calls to it. */
export interface World {
  stage: Stage;
  server: ServerProcess;
  model: ScriptedModel;
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The same, of a call that has to succeed. */
  ok(method: string, path: string, body?: unknown): Promise<Json>;
  /** Kills the server and starts it again on the same data. */
  restart(env?: Record<string, string>): Promise<void>;
  end(): Promise<void>;
}

export async function createWorld(script: ModelScript, env: Record<string, string> = {}): Promise<World> {
  const stage = createStage(script);
  const launch = (more: Record<string, string> = {}) =>
    startServerProcess({ ...stage.env, ...env, ...more }).catch(async (error: unknown) => {
      await stage.remove();
      throw error;
    });
  const world: World = {
    stage,
    server: await launch(),
    model: stage.model,
    api: (method, path, body, headers) =>
      call(world.server.url, method, path, body, {
        authorization: `Bearer ${ownerToken(stage.dataDir)}`,
        ...headers,
      }),
    ok: async (method, path, body) => {
      const answer = await world.api(method, path, body);
      if (answer.status < 300) return answer.body;
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    },
    restart: async (more) => {
      world.server.kill();
      await world.server.exited;
      world.server = await launch(more);
    },
    end: async () => {
      world.server.kill();
      await world.server.exited;
      await stage.remove();
    },
  };
  return world;
}

/** One HTTP call; a string is sent as it is, anything else as JSON. */
export async function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: text as string }),
  });
  return { status: response.status, body: read(await response.text()) };
}

function read(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { text };
  }
}

/** A workspace that is ready, with its first agents by name. */
export async function founded(
  world: World,
  name: string,
): Promise<{ ws: string; id: string; agents: Record<string, string> }> {
  const { id } = await world.ok('POST', '/api/workspaces', { name });
  await until(
    () => world.ok('GET', `/api/workspaces/${id}`),
    ({ state }) => state === 'ready',
  );
  const ws = `/api/workspaces/${id}`;
  const { items } = await world.ok('GET', `${ws}/agents`);
  return { ws, id, agents: Object.fromEntries(items.map((agent: Json) => [agent.name, agent.id])) };
}

/** A space with one agent, so that every message to it wakes that agent. */
export function spaceWith(world: World, ws: string, agentId: string, more: Json = {}): Promise<Json> {
  return world.ok('POST', `${ws}/spaces`, { name: 'room', mode: 'chat', agents: [agentId], ...more });
}

/** Posts a message and gives its run once that has ended, paused or begun to wait. */
export async function said(world: World, ws: string, space: Json, body: string): Promise<Json> {
  // Queued: said to an agent that is still at work, it would be read by that run and have none of its own.
  const path = `${ws}/conversations/${space.mainConversationId}/messages`;
  const { message } = await world.ok('POST', path, { body, delivery: 'queue' });
  return runOf(world, ws, message.id);
}

export function post(world: World, ws: string, space: Json, body: string): Promise<Json> {
  return world.ok('POST', `${ws}/conversations/${space.mainConversationId}/messages`, { body });
}

/** The run that a message woke, once it is at rest. */
export async function runOf(world: World, ws: string, messageId: string): Promise<Json> {
  const mine = async () => {
    const { items } = await world.ok('GET', `${ws}/runs?limit=500`);
    return items.find((run: Json) => run.trigger.id === messageId) as Json | undefined;
  };
  const found = await until(
    mine,
    (run) => run !== undefined && (!['queued', 'running'].includes(run.status) || run.liveness === 'waiting'),
  );
  return found as Json;
}

/** Asks again until the answer is as wanted. @throws Error with the last answer when that takes too long */
export async function until<T>(
  look: () => Promise<T>,
  isWanted: (value: T) => boolean,
  limitMs = 20_000,
): Promise<T> {
  const giveUpAt = Date.now() + limitMs;
  for (;;) {
    const value = await look();
    if (isWanted(value)) return value;
    if (Date.now() > giveUpAt)
      throw new Error(`still not so after ${limitMs} ms: ${JSON.stringify(value)?.slice(0, 4000)}`);
    await Bun.sleep(25);
  }
}

/** What every tool call of the run answered, in order. */
export async function toolResults(world: World, ws: string, runId: string): Promise<Json[]> {
  const { items } = await world.ok('GET', `${ws}/runs/${runId}/entries?limit=500`);
  return items.map(({ entry }: Json) => entry).filter((entry: Json) => entry.kind === 'toolFinished');
}

export const toolCall = (name: string, input: unknown) => ({ name, input });

/** A dialogue for the messages that hold `word`. */
export function onWord(word: string, ...turns: TurnSource[]) {
  return { name: word, when: { user: word }, turns };
}

export function scriptOf(...dialogues: ReturnType<typeof onWord>[]): ModelScript {
  const otherwise: ScriptedTurn = { text: 'Nothing was scripted for this.' };
  return { name: 'bad input', dialogues, otherwise };
}
