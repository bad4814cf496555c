import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ModelScript } from '../../../test/model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../../test/model/server.ts';
import { type Config, loadConfig } from '../../config.ts';
import { ACTOR_HEADER, type Actor } from '../../kit/actor.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { until } from '../test-bench.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every route
export type Json = Record<string, any>;

const SERVICE_TOKEN = 'service-token-of-this-test';
const MODEL = { id: 'test-model', provider: 'scripted', contextTokens: 200_000, maxOutputTokens: 4_000 };

/** A real server on loopback with a scripted model, its owner, and clients of the tool protocol. */
export interface McpWorld {
  url: string;
  ownerToken: string;
  dataDir: string;
  workspaceId: string;
  /** Path of the workspace. */
  ws: string;
  agents: Record<string, string>;
  model: ScriptedModel;
  /** A call of the owner, or of whoever else is named, past the edge. */
  api(method: string, path: string, body?: unknown, as?: Actor): Promise<{ status: number; body: Json }>;
  ok(method: string, path: string, body?: unknown, as?: Actor): Promise<Json>;
  client(token: string, fetch?: FetchLike): Promise<Client>;
  /** A run of an agent in a new space, once it stands still, and a token for it. */
  waitingRun(word: string, space?: Json): Promise<{ run: Json; space: Json; token: string }>;
  /** Whether a text stands anywhere in the data directory. */
  stored(text: string): boolean;
  end(): Promise<void>;
}

/** @param isSplit runs its runs in a server of their own, behind the one that is spoken to */
export async function createMcpWorld(script: ModelScript, isSplit = false): Promise<McpWorld> {
  const home = mkdtempSync(join(tmpdir(), 'mcp-'));
  const model = startScriptedModel(script);
  const servers = await serversAt(home, model.url, isSplit);
  const [server] = servers;
  const clients: Client[] = [];
  const ownerToken = server.ownerToken ?? '';
  const api: McpWorld['api'] = (method, path, body, as) =>
    call(server.url, method, path, body, as ? { token: SERVICE_TOKEN, as } : { token: ownerToken });
  const ok: McpWorld['ok'] = async (method, path, body, as) => {
    const answer = await api(method, path, body, as);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  const { id: workspaceId } = await ok('POST', '/api/workspaces', { name: 'Lab' });
  const ws = `/api/workspaces/${workspaceId}`;
  await until(
    () => ok('GET', ws),
    ({ state }) => state === 'ready',
  );
  const { items } = await ok('GET', `${ws}/agents`);
  const agents = Object.fromEntries(items.map((agent: Json) => [agent.name, agent.id]));
  return {
    dataDir: join(home, 'data'),
    ...{ url: server.url, ownerToken, workspaceId, ws, agents, model, api, ok },
    async client(token, fetch) {
      const client = new Client({ name: 'test', version: '1' });
      clients.push(client);
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      const url = new URL(`${server.url}${ws}/mcp`);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit, ...(fetch && { fetch }) }));
      return client;
    },
    async waitingRun(word, more = {}) {
      const space = await ok('POST', `${ws}/spaces`, { name: word, agents: [agents.ceo], ...more });
      const { message } = await ok('POST', `${ws}/conversations/${space.mainConversationId}/messages`, {
        body: word,
      });
      const run: Json = await until(
        async () =>
          (await ok('GET', `${ws}/runs?limit=500`)).items.find(
            (one: Json) => one.trigger.id === message.id,
          ) ?? {},
        (one: Json) => one.liveness === 'waiting',
      );
      const { token } = await ok('POST', `${ws}/runs/${run.id}/tokens`, undefined, 'service:test');
      return { run, space, token };
    },
    stored: (text) =>
      readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(text)),
    async end() {
      for (const client of clients) await client.close();
      for (const { stop } of servers) await stop();
      await model.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function serversAt(
  home: string,
  baseUrl: string,
  isSplit: boolean,
): Promise<[RunningServer, ...RunningServer[]]> {
  const dataDir = join(home, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const models = { defaultModel: MODEL.id, providers: [{ name: 'scripted', baseUrl }], models: [MODEL] };
  writeFileSync(join(dataDir, 'models.json'), JSON.stringify(models));
  const start = (more: Partial<Config>) =>
    startServer(
      loadConfig({}, { dataDir, port: 0, serviceToken: SERVICE_TOKEN, logLevel: 'silent', ...more }),
    );
  if (!isSplit) return [await start({})];
  const [front, back] = [freePort(), freePort()];
  const [here, there] = [`http://127.0.0.1:${front}`, `http://127.0.0.1:${back}`];
  const runs = start({
    port: back,
    services: ['runs'],
    peers: { spaces: here, orchestration: here },
  });
  const rest = start({ port: front, services: ['spaces', 'orchestration'], peers: { runs: there } });
  return Promise.all([rest, runs]);
}

function freePort(): number {
  const probe = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
  const { port } = probe;
  void probe.stop(true);
  return port ?? 0;
}

async function call(
  url: string,
  method: string,
  path: string,
  body: unknown,
  { token, as }: { token: string; as?: Actor },
): Promise<{ status: number; body: Json }> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(as && { [ACTOR_HEADER]: as }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

/** The text of a result, and whether it is an error. */
export function said(result: unknown): { text: string; isError: boolean } {
  const { content, isError } = result as CallToolResult;
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { text, isError: isError === true };
}

/** What an operator tool gave, or the fault that it answered. */
export function read(result: unknown): Json {
  const { text } = said(result);
  const { structuredContent } = result as CallToolResult;
  const value = JSON.parse(text) as Json;
  if (!Bun.deepEquals(value, structuredContent)) throw new Error('the text is not the structured content');
  return value;
}
