import { afterAll, beforeAll, expect, test } from 'bun:test';
import { runCctl } from './testing/run-cctl.ts';
import { createServerStage, type Served, type ServerStage } from './testing/served.ts';

/** `cctl sign-in`, `members`, `sessions` and `tokens` against the real server. */

let stage: ServerStage;
let served: Served;

beforeAll(async () => {
  stage = createServerStage({ name: 'nobody asks', dialogues: [], otherwise: { text: 'Nothing.' } });
  served = await stage.serve();
}, 30_000);
afterAll(async () => {
  await stage.killAll();
  await stage.remove();
});

/** Who is signed in with the link; null when it signs nobody in. */
async function signInWith(link: string): Promise<{ name: string; role: string } | null> {
  const { host, port, pathname, search, hash } = new URL(link);
  expect([port, pathname, search]).toEqual([new URL(served.url).port, '/sign-in', '']);
  // Browsers take every name below localhost to this machine; other programs may not know it.
  expect(host).toBe(`control-center.localhost:${port}`);
  const response = await fetch(`${served.url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', host },
    body: JSON.stringify({ code: hash.replace('#code=', '') }),
  });
  const { member = null } = (await response.json()) as { member?: { name: string; role: string } };
  return member;
}

test('the first start prints a link, which works once', async () => {
  const link = served.signInUrl ?? '';
  expect(await signInWith(link)).toMatchObject({ name: 'Owner', role: 'owner' });
  expect(await signInWith(link)).toBeNull();
}, 30_000);

test('sign-in prints the link alone on stdout, and whom it is of beside it', async () => {
  const ran = await served.cctl('sign-in');
  expect([ran.exitCode, ran.stdout.trimEnd().split('\n').length]).toEqual([0, 1]);
  expect(ran.stderr).toMatch(/until \d\d:\d\d\. It works once, and whoever has it is Owner \(owner\)\./);
  expect(await signInWith(ran.stdout.trim())).toMatchObject({ role: 'owner' });
  const { stdout } = await served.cctl('sign-in', '--json', '--minutes', '60');
  const { url, expiresAt, memberId } = JSON.parse(stdout);
  expect([memberId.slice(0, 4), Math.round((expiresAt - Date.now()) / 60_000)]).toEqual(['mem_', 60]);
  expect(await signInWith(url)).not.toBeNull();
}, 30_000);

test('an owner adds a member and gives them a link; they give nobody else one', async () => {
  const added = await served.cctl('members', 'add', 'Ada', '--role', 'viewer');
  expect(added.stdout).toMatch(/^Added Ada \(mem_\w+\) as viewer\.\n.*cctl sign-in --member mem_\w+\n$/);
  const listed = await served.cctl('members');
  expect(listed.stdout).toMatch(
    /^ID +NAME +ROLE +SINCE\nmem_\w+ +Owner +owner .*\nmem_\w+ +Ada +viewer .*\n$/,
  );
  const ran = await served.cctl('sign-in', '--member', 'Ada');
  expect(ran.stderr).toContain('whoever has it is Ada (viewer)');
  expect(await signInWith(ran.stdout.trim())).toMatchObject({ name: 'Ada', role: 'viewer' });
  await served.cctl('members', 'add', 'Ada', '--role', 'viewer');
  const several = await served.cctl('sign-in', '--member', 'Ada');
  expect([several.exitCode, several.stderr]).toEqual([
    1,
    expect.stringMatching(/give one of mem_\w+, mem_\w+\.$/m),
  ]);
}, 60_000);

test('whoever is removed is named, also when the id was given', async () => {
  const added = await served.cctl('members', 'add', 'Cleo', '--role', 'viewer');
  const [id = ''] = /mem_\w+/.exec(added.stdout) ?? [];
  expect((await served.cctl('members', 'remove', id)).stdout).toStartWith(`Removed Cleo (${id}).\n`);
}, 30_000);

test('where somebody is signed in is listed, and ended', async () => {
  await served.cctl('members', 'add', 'Ben', '--role', 'viewer');
  for (let n = 0; n < 2; n++)
    await signInWith((await served.cctl('sign-in', '--member', 'Ben')).stdout.trim());
  const listed = await served.cctl('sessions', '--member', 'Ben');
  expect(listed.stdout).toMatch(/^ID +BROWSER +SIGNED IN +LAST SEEN +UNTIL\n(ses_\w+ +unknown +.*\n){2}$/);
  const [id = ''] = /ses_\w+/.exec(listed.stdout) ?? [];
  expect((await served.cctl('sessions', 'end', id)).stdout).toContain(`session ${id} is signed out`);
  const again = await served.cctl('sessions', 'end', id);
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('cctl sessions')]);
  const all = await served.cctl('sessions', 'end', '--all', '--member', 'Ben');
  expect(all.stdout).toBe('Signed out of 1 browser.\n');
  expect((await served.cctl('sessions', '--member', 'Ben')).stdout).toBe('No browser is signed in.\n');
}, 60_000);

test('a token is printed once, alone, works, and is revoked; that of the first start on second thought', async () => {
  const made = await served.cctl('tokens', 'add', 'a second machine');
  expect([made.stdout, made.stderr]).toEqual([
    expect.stringMatching(/^cc_[\w-]{43}\n$/),
    expect.stringContaining('shown this once'),
  ]);
  const other = { ...stage.env, CONTROL_CENTER_TOKEN: made.stdout.trim() };
  const listed = await runCctl(['tokens', '--json', '--url', served.url], other);
  const [first, second] = JSON.parse(listed.stdout).items;
  expect([first.isOwnerFile, second.name, second.lastUsedAt > 0]).toEqual([true, 'a second machine', true]);
  expect((await served.cctl('tokens')).stdout).toMatch(/first start \(in the file owner-token\)/);
  const warned = await served.cctl('tokens', 'revoke', first.id);
  expect([warned.exitCode, warned.stderr]).toEqual([2, expect.stringContaining('cctl tokens add')]);
  expect((await served.cctl('tokens', 'revoke', second.id)).exitCode).toBe(0);
  const refused = await runCctl(['tokens', '--url', served.url], other);
  expect(refused.stderr).toContain('does not know this token');
}, 60_000);

test('a member is removed by name, once', async () => {
  const removed = await served.cctl('members', 'remove', 'Ben');
  expect(removed.stdout).toMatch(/^Removed Ben \(mem_\w+\)\.\nTheir links, browsers and tokens/);
  expect((await served.cctl('members')).stdout).not.toContain('Ben');
  expect((await served.cctl('members', 'remove', 'Ben')).exitCode).toBe(1);
  const last = await served.cctl('members', 'remove', 'Owner');
  expect([last.exitCode, last.stderr]).toEqual([1, expect.stringContaining('last owner')]);
}, 60_000);

test.each([
  [['members', 'add', 'Eve'], /--role/],
  [['members', 'add', 'Eve', '--role', 'root'], /root/],
  [['members', 'add', ' ', '--role', 'viewer'], /The name is empty/],
  [['sessions', 'end'], /--all/],
  [['sessions', 'end', 'ses_1', '--all'], /--all/],
  [['sessions', 'end', 'ses_1', '--member', 'Ada'], /--member/],
  [['tokens', 'add', ' '], /The name is empty/],
  [['sign-in', '--minutes', '0'], /--minutes/],
  [['sign-in', '--minutes', '1441'], /--minutes/],
])('%j is wrong usage', async (words, said) => {
  const ran = await served.cctl(...words);
  expect([ran.exitCode, ran.stdout, ran.stderr]).toEqual([2, '', expect.stringMatching(said)]);
});

test('nobody unknown gets a link, and without a token there is none', async () => {
  const unknown = await served.cctl('sign-in', '--member', 'Nobody');
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('cctl members')]);
  const stranger = { ...stage.env, CONTROL_CENTER_TOKEN: 'wrong' };
  const refused = await runCctl(['sign-in', '--url', served.url], stranger);
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toContain('does not know this token');
});

test('a later start names the command instead', async () => {
  await served.stop();
  served = await stage.serve();
  expect([served.ownerToken, served.signInUrl]).toEqual([null, null]);
}, 30_000);
