import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Asking, openAsking } from './asking-fixture.ts';

let asking: Asking;
let ask: Asking['ask'];
let decide: Asking['decide'];
let ofType: Asking['ofType'];

beforeAll(async () => {
  asking = await openAsking();
  ({ ask, decide, ofType } = asking);
});
afterAll(() => asking.close());

describe('with nobody there', () => {
  test('a request that would wait waits; one that would not is refused and stays for a person', async () => {
    expect((await ask({ command: 'waits' })).body.status).toBe('pending');
    const { status, body } = await ask({ command: 'refused', whenNobody: 'refuse', rootRunId: 'run_0' });
    expect([status, body.status, body.decidedBy, body.rootRunId]).toEqual([201, 'unattended', null, 'run_0']);
    const [event] = await ofType('approval.requested', body.id);
    expect(event?.data).toMatchObject({ status: 'unattended', rootRunId: 'run_0', digest: body.digest });
  });

  test.each(['question', 'orchestration'])('a %s waits all the same', async (kind) => {
    expect((await ask({ kind, whenNobody: 'refuse' })).body.status).toBe('pending');
  });

  test('allowed later, the same arguments are allowed once, in the same conversation, to the same agent', async () => {
    const wish = { command: 'once', whenNobody: 'refuse' };
    const { id } = (await ask({ ...wish, runId: 'run_a' })).body;
    expect((await decide(id, { decision: 'approved' })).body).toMatchObject({
      status: 'approved',
      grant: 'once',
    });
    const { open, at, spaceId } = asking;
    const another = `agent:${(await open.call('GET', `${at}/agents`)).body.items[1].id}`;
    const thread = await open.call('POST', `${at}/spaces/${spaceId}/conversations`, { title: 'T' });
    for (const other of [
      { command: 'other' },
      { requester: another },
      { conversationId: thread.body.id },
      { conversationId: null },
    ]) {
      expect((await ask({ ...wish, runId: 'run_b', ...other })).body.status).toBe('unattended');
    }
    const retried = (await ask({ ...wish, runId: 'run_b', key: 'retry' })).body;
    expect(retried).toMatchObject({ id, status: 'approved' });
    expect((await ask({ ...wish, runId: 'run_b', key: 'retry' })).body).toEqual(retried);
    expect((await ask({ ...wish, runId: 'run_c' })).body.status).toBe('unattended');
    const consumed = await ofType('approval.consumed', id);
    expect(consumed.map(({ data }) => data)).toEqual([{ kind: 'action', runId: 'run_b' }]);
  });

  test('of twenty retries at once one uses the yes, and the others are refused for themselves', async () => {
    const wish = { command: 'race', whenNobody: 'refuse' };
    const { id } = (await ask(wish)).body;
    await decide(id, { decision: 'approved' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(wish)));
    const approved = answers.filter(({ body }) => body.status === 'approved');
    expect(approved.map(({ body }) => body.id)).toEqual([id]);
    expect(answers.filter(({ body }) => body.status === 'unattended' && body.id !== id).length).toBe(19);
    expect((await ofType('approval.consumed', id)).length).toBe(1);
  });

  test('a call that a crash cut off uses its own yes up, and cannot use one that a retry has used', async () => {
    const wish = { command: 'cut off', whenNobody: 'refuse' };
    const first = (await ask({ ...wish, key: 'cut/1' })).body;
    await decide(first.id, { decision: 'approved' });
    expect((await ask({ ...wish, key: 'cut/1' })).body.status).toBe('approved');
    const second = (await ask({ ...wish, key: 'cut/2' })).body;
    expect(second.status).toBe('unattended');
    await decide(second.id, { decision: 'approved' });
    expect((await ask({ ...wish, key: 'cut/3' })).body).toMatchObject({ id: second.id, status: 'approved' });
    expect((await ask({ ...wish, key: 'cut/2' })).body.status).toBe('unattended');
  });

  test('refused by a person it leaves the inbox, and allows nothing', async () => {
    const wish = { command: 'no', whenNobody: 'refuse' };
    const { id } = (await ask(wish)).body;
    expect((await decide(id, { decision: 'refused', reason: 'never' })).body).toMatchObject({
      status: 'refused',
      grant: null,
      decision: { reason: 'never' },
    });
    expect((await ask(wish)).body.status).toBe('unattended');
    expect((await decide(id, { decision: 'approved' })).body.code).toBe('already_decided');
  });
});
