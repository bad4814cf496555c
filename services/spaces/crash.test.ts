import { afterAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenSpaces, openSpaces, temporaryDirectory } from './fixture.ts';

const directory = temporaryDirectory();
afterAll(directory.remove);

/** Lives through the service's first hours; killed at `crashAt` unless that is `-`. Resolves with the signal, if any. */
async function child(dataDir: string, crashAt: string, pointLog = '-'): Promise<string | null> {
  const script = join(import.meta.dir, 'crash.child.ts');
  const running = Bun.spawn([process.execPath, script, dataDir, crashAt, pointLog], { stderr: 'pipe' });
  const complaint = await new Response(running.stderr).text();
  const status = await running.exited;
  if (status !== 0 && running.signalCode === null) throw new Error(`the process failed: ${complaint}`);
  return running.signalCode === null ? null : String(running.signalCode);
}

/** What must be the same however often the process was killed on the way. */
async function outcome(dataDir: string) {
  const open = await openSpaces({ dataDir });
  const workspaces = (await open.call('GET', '/workspaces')).body.items;
  const [ws] = workspaces;
  const agents = (await open.call('GET', `/workspaces/${ws.id}/agents`)).body.items as {
    name: string;
    persona: string;
  }[];
  const root = join(dataDir, 'workspaces', ws.id, 'agents');
  const events = (await open.events(ws.id)).map(({ type }) => type).sort();
  const files = agents.map(({ name, persona }) =>
    readFileSync(join(root, name, 'AGENTS.md'), 'utf8').includes(persona),
  );
  const seen = {
    states: workspaces.map(({ state }: { state: string }) => state),
    agents: agents.map(({ name }) => name).sort(),
    directories: readdirSync(root).sort(),
    files,
    events,
    me: (await open.call('GET', '/me')).body.member.role,
    attached: await attachedTexts(open, dataDir, ws.id),
    leftovers: readdirSync(dataDir).filter((name) => name.endsWith('.staged')),
    tokenMode: statSync(join(dataDir, 'owner-token')).mode & 0o777,
    members: (await open.deps.control.read({ sql: 'SELECT count(*) AS n FROM members', args: [] }))[0]?.n,
  };
  await open.close();
  return seen;
}

/** The contents of what messages have attached. */
async function attachedTexts(open: OpenSpaces, dataDir: string, ws: string): Promise<string[]> {
  const database = await open.deps.databases.open(ws);
  const rows = await database.read({
    sql: 'SELECT id FROM attachments WHERE messageId IS NOT NULL',
    args: [],
  });
  return rows.map(({ id }) =>
    readFileSync(join(dataDir, 'workspaces', ws, 'attachments', String(id)), 'utf8'),
  );
}

function newDataDir(name: string): string {
  const path = join(directory.path, name);
  mkdirSync(path);
  return path;
}

const EXPECTED_EVENTS = [
  ...Array(6).fill('agent.created'),
  'agent.changed',
  'approval.consumed',
  ...Array(4).fill('approval.decided'),
  ...Array(5).fill('approval.requested'),
  'approval.superseded',
  'attachment.added',
  ...Array(2).fill('guardrail.set'),
  'message.changed',
  ...Array(2).fill('message.posted'),
  ...Array(2).fill('space.changed'),
  ...Array(2).fill('space.created'),
  'ticket.changed',
  'ticket.created',
  'ticket.delegated',
  'workspace.ready',
].sort();

test('killed at every point, one after the other, and started again, everything is there once', async () => {
  const log = join(directory.path, 'points');
  expect(await child(newDataDir('calm'), '-', log)).toBeNull();
  const expected = await outcome(join(directory.path, 'calm'));
  const names = ['anna', 'architect', 'ceo', 'engineer', 'librarian', 'qa'];
  expect(expected).toEqual({
    states: ['ready'],
    agents: names,
    directories: names,
    files: Array(6).fill(true),
    events: EXPECTED_EVENTS,
    me: 'owner',
    attached: ['hello'],
    leftovers: [],
    tokenMode: 0o600,
    members: 1,
  });
  const passed = readFileSync(log, 'utf8').trim().split('\n');
  const points = [...new Set(passed)].filter((point) => !point.startsWith('migrate.'));
  expect(points.length).toBeGreaterThan(35);
  const chain = newDataDir('chain');
  // Each run goes on from where the one before was killed. Once the owner is committed its token is adopted instead.
  for (const point of points.filter((name) => name !== 'member.ownerToken:after')) {
    expect([point, await child(chain, point)]).toEqual([point, 'SIGKILL']);
  }
  expect(await child(chain, '-')).toBeNull();
  expect(await outcome(chain)).toEqual(expected);
  for (const point of [
    'member.ownerToken:after',
    'agent.directory:after#3',
    'agent.create:after#5',
    'agent.change:before',
    'workspace.ready:after',
    ...['attachment.file:after', 'attachment.add:after', 'message.post:before'],
    // The rule beside its decision, the yes that a second call uses up, and the way out of plan mode.
    ...['approval.decide:after#2', 'approval.request:after#4', 'space.planExit:after#2'],
  ]) {
    const dataDir = newDataDir(point.replace(/\W/g, '-'));
    expect([point, await child(dataDir, point)]).toEqual([point, 'SIGKILL']);
    expect([point, await child(dataDir, '-')]).toEqual([point, null]);
    expect([point, await outcome(dataDir)]).toEqual([point, expected]);
  }
}, 120_000);

test('a token that was being made when the process died is the owner’s, and is shown at the next start', async () => {
  const dataDir = newDataDir('token');
  expect(await child(dataDir, 'member.ensureOwner:after')).toBe('SIGKILL');
  expect(existsSync(join(dataDir, 'owner-token'))).toBe(false);
  const open = await openSpaces({ dataDir });
  const token = readFileSync(join(dataDir, 'owner-token'), 'utf8').trim();
  expect(await open.spaces.actorOfToken(token)).toBe(open.person);
  expect(await open.spaces.ensureOwner()).toEqual({ token: null });
  await open.close();
});
