import fc from 'fast-check';
import type { AnswerEntry, AssistantBlock, Entry, UserEntry } from '../journal.ts';
import { tool } from './counting-tools.ts';
import { TEST_MODEL } from './scripted-run.ts';

export const OFFERED = ['read_file', 'write_file', 'ask_user'].map((name) => tool(name));

const anyText = fc.oneof(
  fc.constantFrom('', ' ', '\n', 'plain', 'half a pair \ud83d'),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

const userEntry: fc.Arbitrary<UserEntry> = fc.record({
  kind: fc.constant('user' as const),
  cause: fc.constantFrom('prompt', 'nudge', 'repair', 'steer', 'budget'),
  text: anyText,
});

const block: fc.Arbitrary<AssistantBlock> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: anyText }),
  fc.record({
    type: fc.constant('thinking' as const),
    thinking: anyText,
    signature: fc.constantFrom('', 'signed'),
  }),
  fc.record({ type: fc.constant('redacted_thinking' as const), data: fc.string() }),
  fc.record({
    type: fc.constant('tool_use' as const),
    id: fc.constant(''),
    name: fc.constantFrom('read_file', 'write_file', 'run_command', 'a b', ''),
    input: fc.oneof(fc.constant('{"broken'), fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())),
  }),
);

interface Piece {
  content: AssistantBlock[];
  model: string;
  fates: ('open' | 'held' | 'started' | 'finished')[];
  result: string;
  isError: boolean;
  backwards: boolean;
  notes: UserEntry[];
}

const piece: fc.Arbitrary<Piece> = fc.record({
  content: fc.array(block, { maxLength: 6 }),
  model: fc.constantFrom(TEST_MODEL.id, TEST_MODEL.id, 'another-model'),
  fates: fc.array(fc.constantFrom('open', 'held', 'started', 'finished', 'finished'), {
    minLength: 6,
    maxLength: 6,
  }),
  result: anyText,
  isError: fc.boolean(),
  backwards: fc.boolean(),
  notes: fc.array(userEntry, { maxLength: 2 }),
});

/** Journals of any shape a run could leave, and some that none would. */
export const anyJournal: fc.Arbitrary<Entry[]> = fc
  .tuple(fc.array(userEntry, { maxLength: 3 }), fc.array(piece, { maxLength: 8 }))
  .map(([opening, pieces]) => [...opening, ...pieces.flatMap(entriesOf)]);

function entriesOf({ content, model, fates, result, isError, backwards, notes }: Piece, at: number): Entry[] {
  const blocks = content.map((given, index) =>
    given.type === 'tool_use' ? { ...given, id: `call_${at}_${index}` } : given,
  );
  const answer: AnswerEntry = {
    kind: 'answer',
    messageId: `msg_${at}`,
    model,
    content: blocks,
    stopReason: 'end_turn',
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
    costMicros: null,
    durationMs: 1,
    firstByteMs: null,
  };
  const calls = blocks.filter((given) => given.type === 'tool_use');
  const after = calls.flatMap(({ id: callId, name }, index): Entry[] => {
    const fate = fates[index] ?? 'open';
    if (fate === 'open') return [];
    if (fate === 'held') return [{ kind: 'toolHeld', callId, name, approvalId: 'apr_1' }];
    const started: Entry = { kind: 'toolStarted', callId, name };
    if (fate === 'started') return [started];
    // No tool was called when there is none of that name.
    const failed = isError || OFFERED.every((offered) => offered.name !== name);
    return [started, { kind: 'toolFinished', callId, name, content: result, isError: failed, durationMs: 1 }];
  });
  return [answer, ...(backwards ? after.reverse() : after), ...notes];
}
