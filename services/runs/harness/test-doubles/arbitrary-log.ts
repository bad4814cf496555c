import fc from 'fast-check';
import { readConversation } from '../conversation.ts';
import type { AssistantBlock, Entry, MediaRef, UserEntry } from '../journal.ts';
import { withUniqueCallIds } from '../model-call.ts';
import { tool } from './counting-tools.ts';
import { TEST_MODEL } from './scripted-run.ts';

/** What a run of the log tests offers. */
export const LOG_TOOLS = [
  tool('read_file'),
  tool('write_file', { tier: 'write' }),
  tool('ask_user', { keyed: true }),
  tool('run_subagent', { keyed: true }),
];

/** A file that is there, and one that is gone. */
export const MEDIA: MediaRef[] = [
  { mediaType: 'image/png', file: `${'a'.repeat(64)}.png`, bytes: 4_000 },
  { mediaType: 'application/pdf', file: `${'b'.repeat(64)}.pdf`, bytes: 40_000 },
];

const text = fc.oneof(
  fc.constantFrom('', ' ', 'plain', 'half a pair \ud83d'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

// Some servers count calls from one in every answer, and some ids are none.
const callId = fc.constantFrom('call_1', 'call_2', 'toolu_x', 'not an id', '');

const block: fc.Arbitrary<AssistantBlock> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({
    type: fc.constant('thinking' as const),
    thinking: text,
    signature: fc.constantFrom('', 'signed', 'signed'),
  }),
  fc.record({ type: fc.constant('redacted_thinking' as const), data: fc.string() }),
  ...[1, 2, 3].map(() =>
    fc.record({
      type: fc.constant('tool_use' as const),
      id: callId,
      name: fc.constantFrom('read_file', 'write_file', 'ask_user', 'run_subagent', 'no such tool'),
      input: fc.oneof(fc.constant('{"broken'), fc.constant(null), fc.dictionary(fc.string(), fc.jsonValue())),
    }),
  ),
);

const note: fc.Arbitrary<UserEntry> = fc.record({
  kind: fc.constant('user' as const),
  cause: fc.constantFrom(
    'nudge',
    'repair',
    'steer',
    'budget',
    'message',
    'message',
    'handback',
    'mediaRefused',
  ),
  text,
});

/** How far a call came; `rest` is what the run does when it goes on, after a crash or a wait. */
const fate = fc.constantFrom('held', 'heldAndMade', 'started', 'made', 'made', 'made', 'refused', 'open');

const answer = fc.record({
  kind: fc.constant('answer' as const),
  content: fc.array(block, { maxLength: 5 }),
  model: fc.constantFrom(TEST_MODEL.id, TEST_MODEL.id, TEST_MODEL.id, 'another-model'),
  stopReason: fc.constantFrom('end_turn', 'tool_use', 'max_tokens', 'model_context_window_exceeded'),
  fates: fc.array(fate, { minLength: 5, maxLength: 5 }),
  order: fc.array(fc.nat(99), { minLength: 5, maxLength: 5 }),
  resultBytes: fc.constantFrom(0, 10, 10, 2_000, 9_000),
  media: fc.subarray(MEDIA),
  isError: fc.boolean(),
  isMeasured: fc.boolean(),
  notes: fc.array(note, { maxLength: 2 }),
});

const act = fc.oneof(
  { weight: 10, arbitrary: answer },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('compaction' as const),
      percent: fc.integer({ min: 0, max: 120 }),
      text: fc.constantFrom('What was done.', 'What was done.', ''),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rewind' as const),
      percent: fc.integer({ min: 20, max: 110 }),
    }),
  },
);

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
type Answer = Extract<Act, { kind: 'answer' }>;

/**
 * Long logs as runs leave them: parallel, held, refused and suspended calls, answers that were cut, thinking, broken
 * arguments, repeated ids, people's messages, summaries, and conversations that were taken back.
 */
export const anyLog: fc.Arbitrary<Entry[]> = fc
  .array(act, { minLength: 10, maxLength: 30, size: 'max' })
  .map((acts) => {
    const entries: Entry[] = [{ kind: 'user', cause: 'prompt', text: 'Do the work.' }];
    for (const [at, next] of acts.entries()) entries.push(...entriesOf(next, at, entries));
    return entries;
  });

function entriesOf(next: Act, at: number, before: readonly Entry[]): Entry[] {
  if (next.kind === 'answer') return answerEntries(next, at, before);
  const turns = Math.floor((readConversation(before).turns.length * next.percent) / 100);
  if (next.kind === 'rewind') return [{ kind: 'rewind', turns }];
  const usage = { input: 10, output: 10, cacheRead: 0, cacheWrite: 0 };
  const call = { messageId: `sum_${at}`, model: TEST_MODEL.id, usage, costMicros: 1 };
  return [{ kind: 'compaction', turns, summary: next.text, ...call }];
}

function answerEntries(given: Answer, at: number, before: readonly Entry[]): Entry[] {
  const content = withUniqueCallIds(given.content, readConversation(before));
  const bytes = JSON.stringify(before).length;
  const usage = {
    input: given.isMeasured ? Math.ceil(bytes / 4) : 0,
    output: 9,
    cacheRead: 0,
    cacheWrite: 0,
  };
  const { model, stopReason } = given;
  const facts = { usage, costMicros: null, durationMs: 1, firstByteMs: null };
  const entry: Entry = { kind: 'answer', messageId: `msg_${at}`, model, content, stopReason, ...facts };
  const calls = content.filter((part) => part.type === 'tool_use');
  const tracks = calls.map(({ id, name }, index) =>
    callEntries({ callId: id, name }, given.fates[index] ?? 'made', given),
  );
  return [entry, ...shuffled(tracks, given.order), ...given.notes];
}

function callEntries(call: { callId: string; name: string }, how: string, given: Answer): Entry[] {
  const held: Entry = { kind: 'toolHeld', ...call, approvalId: 'apr_1' };
  const started: Entry = { kind: 'toolStarted', ...call };
  const isUnknown = LOG_TOOLS.every((offered) => offered.name !== call.name);
  const finished: Entry = {
    ...{ kind: 'toolFinished', ...call, content: 'x'.repeat(given.resultBytes) },
    ...{ isError: given.isError || isUnknown || how === 'refused', durationMs: 1 },
    ...(given.media.length > 0 && { media: given.media }),
  };
  switch (how) {
    case 'open':
      return [];
    case 'held':
      return [held];
    case 'started':
      return [started];
    case 'heldAndMade':
      return [held, started, finished];
    case 'refused':
      return [finished];
    default:
      return [started, finished];
  }
}

/** Calls that run together leave their entries in any order, each call's own in order. */
function shuffled(tracks: Entry[][], order: readonly number[]): Entry[] {
  const left = tracks.map((track) => [...track]);
  const mixed: Entry[] = [];
  for (let step = 0; left.some((track) => track.length > 0); step++) {
    const open = left.filter((track) => track.length > 0);
    const next = open[(order[step % order.length] ?? 0) % open.length]?.shift();
    if (next !== undefined) mixed.push(next);
  }
  return mixed;
}
