import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Actor } from '../../kit/actor.ts';
import { addMember, type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';
import { approvalDigest } from './digest.ts';

const directory = temporaryDirectory();
let open: OpenSpaces;
let ws: string;
let at: string;
const agent: Actor = 'agent:agt_asker';

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
  ws = await readyWorkspace(open, 'Approvals');
  at = `/workspaces/${ws}/approvals`;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const ask = async (key: string, extra: object = {}) =>
  (
    await open.call(
      'POST',
      at,
      {
        kind: 'action',
        requester: agent,
        subject: 'Push to main',
        arguments: { branch: 'main' },
        key,
        ...extra,
      },
      'service:runs',
    )
  ).body;

test('of 20 deciders at once one wins, nineteen are told, and there is one event', async () => {
  const { id, digest } = await ask('race', { runId: 'run_1' });
  const people = await Promise.all(Array.from({ length: 20 }, () => addMember(open, 'operator')));
  const answers = await Promise.all(
    people.map((person, i) =>
      open.call(
        'POST',
        `${at}/${id}/decision`,
        { decision: i % 2 ? 'approved' : 'refused', digest, reason: `r${i}` },
        person,
      ),
    ),
  );
  const won = answers.filter((answer) => answer.status === 200);
  const lost = answers.filter((answer) => answer.status === 409 && answer.body.code === 'already_decided');
  expect([won.length, lost.length]).toEqual([1, 19]);
  const stands = (await open.call('GET', `${at}/${id}`)).body;
  expect(stands).toEqual(won[0]?.body);
  for (const { body } of lost) {
    expect(body.errors).toEqual({
      status: stands.status,
      decidedBy: stands.decidedBy,
      decidedAt: stands.decidedAt,
    });
  }
  const events = (await open.events(ws, 'approval.decided')).filter((event) => event.subject === id);
  expect(events.map((event) => event.data)).toMatchObject([
    {
      kind: 'action',
      status: stands.status,
      runId: 'run_1',
      arguments: { branch: 'main' },
      decision: stands.decision,
    },
  ]);
});

test('a decision about other arguments than those shown is refused', async () => {
  const { id, digest } = await ask('digest');
  const other = approvalDigest('action', { branch: 'release' });
  const answer = await open.call('POST', `${at}/${id}/decision`, { decision: 'approved', digest: other });
  expect([answer.status, answer.body.code, answer.body.errors.digest]).toEqual([409, 'conflict', digest]);
  expect((await open.call('GET', `${at}/${id}`)).body.status).toBe('pending');
});

test('what was taken back can no longer be decided, and what was decided not taken back', async () => {
  const gone = await ask('gone');
  const supersede = (id: string) => open.call('POST', `${at}/${id}/supersede`, undefined, 'service:runs');
  expect((await supersede(gone.id)).body.status).toBe('superseded');
  expect((await supersede(gone.id)).status).toBe(200);
  const late = await open.call('POST', `${at}/${gone.id}/decision`, { decision: 'approved' });
  expect([late.status, late.body.code]).toEqual([409, 'already_decided']);
  expect((await open.events(ws, 'approval.superseded')).length).toBe(1);
  const done = await ask('done');
  await open.call('POST', `${at}/${done.id}/decision`, { decision: 'refused' });
  expect((await supersede(done.id)).body.code).toBe('already_decided');
});

test('a question carries its answer, and lists filter by status and run', async () => {
  const { id } = await ask('question', {
    kind: 'question',
    runId: 'run_q',
    arguments: { question: 'Which?' },
  });
  expect((await open.call('GET', `${at}?status=pending&runId=run_q`)).body.items.length).toBe(1);
  const { body } = await open.call('POST', `${at}/${id}/decision`, {
    decision: 'approved',
    answer: 'The first',
  });
  expect(body).toMatchObject({ decision: { answer: 'The first' }, decidedBy: open.person });
  expect((await open.call('GET', `${at}?status=pending&runId=run_q`)).body.items).toEqual([]);
});

test('the digest is that of the value, whatever the order of its keys, and no two values share one', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, part]) => [key, shuffled(part)]),
    );
  };
  const json = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(json, json, (a, b) => {
      const [left, right] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))];
      expect(approvalDigest('action', shuffled(left) as typeof left)).toBe(approvalDigest('action', left));
      expect(approvalDigest('action', left) === approvalDigest('action', right)).toBe(
        Bun.deepEquals(left, right),
      );
      expect(approvalDigest('question', left)).not.toBe(approvalDigest('action', left));
    }),
  );
});
