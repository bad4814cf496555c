import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { TurnSource } from '../../../test/model/script.ts';
import type { ScriptedModel } from '../../../test/model/server.ts';
import { Fault } from '../../kit/fault.ts';
import type { Entry } from './journal.ts';
import { INTERRUPTED } from './notes.ts';
import { ALLOWED, createCountingTools, type ToolGate, tool } from './test-doubles/counting-tools.ts';
import { createMemoryJournal, Killed } from './test-doubles/memory-journal.ts';
import { problemsOf, runAgainst, startTurns } from './test-doubles/scripted-run.ts';
import type { CallDecision } from './tool-port.ts';

const TOOLS = [
  tool('read_file'),
  tool('fetch_url'),
  tool('write_file', { tier: 'write' }),
  tool('create_ticket', { tier: 'write', keyed: true }),
];
const ASKED: CallDecision = { ...ALLOWED, decision: 'ask', classes: ['file_write'], approvalId: 'apr_1' };
const DENIED: CallDecision = { ...ALLOWED, decision: 'deny', reason: 'No.' };

let model: ScriptedModel;
afterEach(() => model.stop());

const path = (name: string, at = 'a') => ({ name, input: { path: at } });
const script = (...turns: TurnSource[]) => {
  model = startTurns(...turns, { text: 'Done.' });
};
const kindsOf = (entries: readonly Entry[]) => entries.map(({ kind }) => kind).slice(2);

/** A person who has not decided yet, until `decide`. */
function person() {
  let decided: 'pending' | 'approved' | 'refused' = 'pending';
  const gate: ToolGate = () => {
    if (decided === 'pending') return { kind: 'suspend', waitingFor: 'apr_1' };
    return decided === 'approved'
      ? { kind: 'run', decision: ASKED }
      : { kind: 'refused', decision: ASKED, content: 'Refused by Ada.' };
  };
  const decide = (status: 'approved' | 'refused') => {
    decided = status;
  };
  return { gate, decide };
}

describe('a call that is refused', () => {
  test('does not begin; its result says why and keeps the decision', async () => {
    script({ tools: [path('write_file')] });
    const refuse: ToolGate = () => ({ kind: 'refused', decision: DENIED, content: 'Refused: No.' });
    const tools = createCountingTools(TOOLS, {}, { write_file: refuse });
    const { outcome, journal, news } = await runAgainst(model.url, { tools });
    expect(outcome.status).toBe('completed');
    expect(tools.executions).toEqual([]);
    expect(journal.labels).toEqual(['run.prompt', 'run.answer', 'tool.finish', 'run.answer']);
    const kept = { kind: 'toolFinished', content: 'Refused: No.', isError: true, decision: DENIED };
    expect(journal.entries[2]).toMatchObject(kept);
    expect(news).not.toContain('started:write_file');
  });

  test('after it had begun before a restart is not said to have had no effect', async () => {
    script({ tools: [path('create_ticket')] });
    const first = createMemoryJournal({ commits: 3 });
    const tools = createCountingTools(TOOLS);
    await expect(runAgainst(model.url, { tools, journal: first })).rejects.toBeInstanceOf(Killed);
    const refuse: ToolGate = () => ({ kind: 'refused', decision: DENIED, content: 'Refused: No.' });
    const later = createCountingTools(TOOLS, {}, { create_ticket: refuse });
    const journal = createMemoryJournal({ entries: first.entries });
    await runAgainst(model.url, { tools: later, journal });
    expect(journal.entries[3]).toMatchObject({ isError: true, content: `${INTERRUPTED} Refused: No.` });
  });

  test('for want of a port is a failure, or a pause when the port may come back', async () => {
    for (const [error, status] of [
      [new Error('gone'), 'failed'],
      [new Fault('unavailable', 'Spaces is away.'), 'paused'],
    ] as const) {
      script({ tools: [path('write_file')] });
      const tools = createCountingTools(TOOLS, {}, { write_file: () => Promise.reject(error) });
      const { outcome, journal } = await runAgainst(model.url, { tools });
      expect(outcome).toMatchObject({ status, errorFamily: 'toolFailure' });
      expect(outcome.summary).toContain(error.message);
      expect([tools.executions, kindsOf(journal.entries)]).toEqual([[], []]);
      await model.stop();
    }
  });
});

test('a call of a run that was cancelled while the call was admitted or its start kept does not run', async () => {
  for (const moment of ['admission', 'start'] as const) {
    script({ tools: [path('write_file')] });
    const cancel = new AbortController();
    const journal = createMemoryJournal();
    const gate: ToolGate = () => {
      if (moment === 'admission') cancel.abort(new Error('cancelled'));
      return { kind: 'run', decision: ALLOWED };
    };
    const tools = createCountingTools(TOOLS, {}, { write_file: gate });
    const append: typeof journal.append = async (label, entry) => {
      await journal.append(label, entry);
      if (label === 'tool.start') cancel.abort(new Error('cancelled'));
    };
    const watched = { ...journal, append };
    const { outcome } = await runAgainst(model.url, { tools, journal: watched, signal: cancel.signal });
    expect(outcome.status).toBe('cancelled');
    expect(tools.executions).toEqual([]);
    expect(journal.labels.includes('tool.start')).toBe(moment === 'start');
    await model.stop();
  }
});

test('the decision stands in the first entry of its call', async () => {
  script({ tools: [path('read_file'), path('write_file')] });
  const { journal } = await runAgainst(model.url, { tools: createCountingTools(TOOLS) });
  const decisions = journal.entries.map((entry) => ('decision' in entry ? entry.decision : null));
  expect(kindsOf(journal.entries)).toEqual(['toolFinished', 'toolStarted', 'toolFinished', 'answer']);
  expect(decisions.slice(2)).toEqual([ALLOWED, ALLOWED, null, null]);
});

describe('a call that a person has to allow', () => {
  beforeEach(() => script({ tools: [path('write_file')] }));

  for (const decision of ['approved', 'refused'] as const) {
    test(`waits with nothing begun, and once ${decision} goes on where it stood`, async () => {
      const { gate, decide } = person();
      const tools = createCountingTools(TOOLS, {}, { write_file: gate });
      const journal = createMemoryJournal();
      const held = await runAgainst(model.url, { tools, journal });
      expect(held.outcome).toMatchObject({ status: 'suspended', waitingFor: 'apr_1' });
      expect(journal.labels.slice(2)).toEqual(['tool.hold']);
      await runAgainst(model.url, { tools, journal });
      expect(journal.labels.slice(2)).toEqual(['tool.hold']);
      decide(decision);
      const { outcome } = await runAgainst(model.url, { tools, journal });
      expect(outcome.status).toBe('completed');
      expect(tools.executions.length).toBe(decision === 'approved' ? 1 : 0);
      expect(tools.admissions.map(({ heldBy }) => heldBy)).toEqual([undefined, 'apr_1', 'apr_1']);
      expect(model.requests.length).toBe(2);
      expect(problemsOf(model)).toEqual([]);
    });
  }

  test('runs at most once whatever commit the process dies at, and once unless it had begun', async () => {
    for (let commits = 2; commits <= 6; commits++) {
      const { gate, decide } = person();
      const tools = createCountingTools(TOOLS, {}, { write_file: gate });
      const dying = createMemoryJournal({ commits });
      await runAgainst(model.url, { tools, journal: dying }).catch(() => null);
      decide('approved');
      await runAgainst(model.url, { tools, journal: dying }).catch(() => null);
      const journal = createMemoryJournal({ entries: dying.entries });
      const { outcome } = await runAgainst(model.url, { tools, journal });
      expect(outcome.status).toBe('completed');
      // The scripted model makes a call that was cut off once more, as another call.
      const callId = tools.admissions[0]?.callId;
      expect(tools.executions.filter((call) => call.callId === callId).length).toBe(1);
      const wasCut = kindsOf(dying.entries).at(-1) === 'toolStarted';
      const finished = journal.entries.find(({ kind }) => kind === 'toolFinished');
      expect(finished).toMatchObject({ isError: wasCut });
    }
  });
});

test('reads beside one that is held have their results, and are not made again', async () => {
  script({ tools: [path('read_file'), path('fetch_url'), path('read_file', 'b'), path('write_file')] });
  const { gate, decide } = person();
  const tools = createCountingTools(TOOLS, {}, { fetch_url: gate });
  const journal = createMemoryJournal();
  const { outcome } = await runAgainst(model.url, { tools, journal });
  expect(outcome).toMatchObject({ status: 'suspended', waitingFor: 'apr_1' });
  expect(tools.executions.map(({ name }) => name)).toEqual(['read_file', 'read_file']);
  expect(kindsOf(journal.entries).toSorted()).toEqual(['toolFinished', 'toolFinished', 'toolHeld']);
  decide('approved');
  await runAgainst(model.url, { tools, journal });
  expect(tools.executions.map(({ name }) => name).slice(2)).toEqual(['fetch_url', 'write_file']);
  expect(problemsOf(model)).toEqual([]);
});
