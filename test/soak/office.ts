import { createClient } from '../../scripts/cli/client/client.ts';
import { ownerToken } from '../e2e/server-process.ts';
import type { Stage } from '../e2e/stage.ts';
import type { Json } from '../e2e/world.ts';
import type { Lives } from './lives.ts';

/** Calls that wait for a server that is away, and that are safe to make again: creates carry a key. */
export interface Office {
  ws: string;
  rooms: Room[];
  ok(method: string, path: string, body?: Json): Promise<Json>;
  all(path: string): Promise<Json[]>;
}

/** A space with one agent, whom every message to it wakes. */
export interface Room {
  agentId: string;
  conversationId: string;
  hasRepository: boolean;
}

/** Each fifth room has a repository. */
const REPOSITORY_EVERY = 5;
const PATIENCE_MS = 60_000;

export async function openOffice(stage: Stage, lives: Lives, agents: number): Promise<Office> {
  const client = createClient({
    url: () => lives.url,
    token: ownerToken(stage.dataDir),
    patienceMs: PATIENCE_MS,
  });
  const ok = async (method: string, path: string, body?: Json) => {
    const sent =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return (await (await client.send(path, { method, ...sent })).json()) as Json;
  };
  const workspace = await client.createWorkspace('soak', 'soak/workspace');
  const ws = `/api/workspaces/${workspace.id}`;
  while ((await client.workspace(workspace.id)).state !== 'ready') await Bun.sleep(50);
  const rooms: Room[] = [];
  for (let i = 0; i < agents; i++) {
    const agent = await ok('POST', `${ws}/agents`, {
      name: `worker-${i}`,
      title: `Worker ${i}`,
      key: `soak/agent/${i}`,
    });
    const hasRepository = i % REPOSITORY_EVERY === 0;
    const space = await ok('POST', `${ws}/spaces`, {
      ...{ name: `room ${i}`, mode: 'chat', agents: [agent.id], key: `soak/space/${i}` },
      ...(hasRepository ? { repositories: [{ name: 'invoices', path: stage.repository }] } : {}),
    });
    rooms.push({ agentId: agent.id, conversationId: space.mainConversationId, hasRepository });
  }
  return { ws, rooms, ok, all: (path) => allPages(ok, path) };
}

async function allPages(ok: Office['ok'], path: string): Promise<Json[]> {
  const items: Json[] = [];
  const sign = path.includes('?') ? '&' : '?';
  for (let after: string | null = ''; after !== null; ) {
    const page: Json = await ok('GET', `${path}${sign}limit=500${after && `&after=${after}`}`);
    items.push(...page.items);
    after = page.next;
  }
  return items;
}
