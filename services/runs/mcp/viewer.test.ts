import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Database } from '../../kit/database/database.ts';
import { newToken, tokenDigest } from '../../spaces/members/token.ts';
import { createMcpWorld, type Json, type McpWorld, read } from './test-world.ts';

/** People are not invited by any route yet. */
async function addViewer(dataDir: string): Promise<string> {
  const control = await Database.open(`file:${join(dataDir, 'control.db')}`);
  const token = newToken();
  const [id, digest] = ['mem_viewer', tokenDigest(token)];
  await control.write('member.add', [
    { sql: "INSERT INTO members (id, name, role, createdAt) VALUES (?, 'V', 'viewer', 1)", args: [id] },
    {
      sql: "INSERT INTO tokens (id, memberId, digest, name, createdAt) VALUES ('tok_viewer', ?, ?, 'v', 1)",
      args: [id, digest],
    },
  ]);
  control.close();
  return token;
}

describe.each([
  ['one process', false],
  ['a process without runs', true],
])('a viewer, at %s', (_, isSplit) => {
  let world: McpWorld;
  let token: string;
  beforeAll(async () => {
    world = await createMcpWorld({ name: 'viewer', dialogues: [], otherwise: { text: 'Hello.' } }, isSplit);
    token = await addViewer(world.dataDir);
  });
  afterAll(() => world.end());

  const ask = async (method: string, path: string, body?: Json) => {
    const headers = { authorization: `Bearer ${token}`, 'x-control-center-viewer': '' };
    const json = { ...headers, 'content-type': 'application/json' };
    const init = body ? { method, headers: json, body: JSON.stringify(body) } : { method, headers };
    const response = await fetch(world.url + path, init);
    return { status: response.status, body: (await response.json()) as Json };
  };

  test('reads, and asks what a policy would say', async () => {
    for (const path of ['/api/me', `${world.ws}/runs`, `${world.ws}/agents`, `${world.ws}/orchestrations`]) {
      expect([path, (await ask('GET', path)).status]).toEqual([path, 200]);
    }
    const explained = await ask('POST', `${world.ws}/policy/explain`, { command: 'git push' });
    expect([explained.status, explained.body.decision]).toEqual([200, 'ask']);
  });

  test.each([
    ['POST', '/api/workspaces', { name: 'mine' }],
    ['POST', '/agents', { name: 'mine', title: 'T', persona: 'p' }],
    ['POST', '/runs', { agentId: 'agt_1', prompt: 'x', key: 'k' }],
    ['POST', '/runs/run_1/cancel', undefined],
    ['POST', '/orchestrations/orc_1/budget', { capMicros: 1 }],
    ['POST', '/orchestrations/orc_1/approve', { revision: 1 }],
    ['PATCH', '/spaces/spc_1', { autonomy: 'actFreely' }],
    ['DELETE', '/guardrails/rules/rul_1', undefined],
    ['POST', '/mcp/token-holder', { digest: '0'.repeat(64) }],
  ] as const)('changes nothing: %s %s', async (method, path, body) => {
    const whole = path.startsWith('/api') ? path : world.ws + path;
    expect((await ask(method, whole, body)).body.code).toBe('forbidden');
  });

  test('is offered the tools that read, and refused the others', async () => {
    const client = await world.client(token);
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    expect(tools.map(({ name }) => name)).toContain('list_approvals');
    expect(read(await client.callTool({ name: 'list_spaces', arguments: {} })).items).toEqual([]);
    for (const name of ['decide_approval', 'create_space', 'post_message', 'cancel_run']) {
      expect(read(await client.callTool({ name, arguments: {} })).error.code).toBe('forbidden');
    }
  });
});
