import { afterEach, describe, expect, test } from 'bun:test';
import type { Mode } from '../../../core-wasm/core.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, until, WORKSPACE } from '../test-bench.ts';
import { calls, delegates, dialogues, onWord } from '../test-dialogues.ts';

let bench: Bench;
afterEach(() => bench.close());

const WORDS = ['first', 'second', 'third'];
const SCRIPT = dialogues(
  ...WORDS.map((word) => onWord(word, { text: `The ${word} is done.`, delayMs: 500 })),
  onWord('another', { text: 'Me too.' }),
  onWord('start', delegates(...WORDS), { text: 'All is done.' }),
);

async function begin(mode: Mode) {
  bench = await createBench(SCRIPT);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation(mode, [bench.repository.source]);
  const process = await bench.process();
  const { id } = await process.createRun({ agentId, conversationId: conversation.id, prompt: 'start' });
  return { process, id, agentId, conversationId: conversation.id };
}

const runOf = (process: Process, id: string) => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`);

/** Kinds and ids of what began and ended, in order. */
async function order(): Promise<[string, string][]> {
  const events = (await bench.events()).filter(({ type }) => type === 'run.started' || type === 'run.ended');
  return events.map(({ type, subject }) => [type, subject]);
}

/** The most runs that were live at once, of those that the filter lets through. */
function mostAtOnce(events: [string, string][], isMeant: (id: string) => boolean): number {
  let [now, most] = [0, 0];
  for (const [type, id] of events) {
    if (!isMeant(id)) continue;
    now += type === 'run.started' ? 1 : -1;
    most = Math.max(most, now);
  }
  return most;
}

describe('several sub-agents of one answer', () => {
  for (const [mode, atOnce] of [
    ['review', 3],
    ['chat', 1],
  ] as const) {
    test(`in ${mode} mode work ${atOnce} at a time, and their parent goes on when the last has ended`, async () => {
      const { process, id, agentId, conversationId } = await begin(mode);
      await bench.model.waitForRequest(() => true);
      const other = await process.createRun({ agentId, conversationId, prompt: 'another', key: 'another' });
      const root = await until(
        () => runOf(process, id),
        ({ endedAt }) => endedAt !== null,
      );
      await until(
        () => runOf(process, other.id),
        ({ endedAt }) => endedAt !== null,
      );
      const events = await order();
      expect(mostAtOnce(events, (run) => root.children.includes(run))).toBe(atOnce);
      // Nothing of another tree comes between them.
      const [ended, began] = [
        events.findIndex(([type, run]) => type === 'run.ended' && run === id),
        events.findIndex(([type, run]) => type === 'run.started' && run === other.id),
      ];
      expect(began).toBeGreaterThan(ended);
      const { items } = await process.json<{ items: { entry: { kind: string; content: string } }[] }>(
        'GET',
        `${WORKSPACE}/runs/${id}/entries?limit=500`,
      );
      const results = items
        .filter(({ entry }) => entry.kind === 'toolFinished')
        .map(({ entry }) => entry.content);
      expect(results.toSorted()).toEqual(WORDS.map((word) => `The ${word} is done.`));
    });
  }

  test('that wait for people one by one let their parent go on when the last was answered', async () => {
    bench = await createBench(
      dialogues(
        ...WORDS.map((word) =>
          onWord(word, calls(['ask_user', { question: `${word}?` }]), { text: `The ${word} is done.` }),
        ),
        onWord('start', delegates(...WORDS), { text: 'All is done.' }),
      ),
    );
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const { id: conversationId } = bench.spaces.addConversation('review', [bench.repository.source]);
    const process = await bench.process();
    const { id } = await process.createRun({ agentId, conversationId, prompt: 'start' });
    await until(
      async () => bench.spaces.approvals.size,
      (count) => count === 3,
    );
    for (const approval of [...bench.spaces.approvals.keys()].toReversed()) {
      expect(await runOf(process, id)).toMatchObject({ status: 'running', endedAt: null });
      const before = (await bench.events('run.ended')).length;
      await bench.spaces.decide(approval, 'approved', { answer: 'Yes' });
      await until(
        () => bench.events('run.ended'),
        (events) => events.length > before,
      );
    }
    const root = await until(
      () => runOf(process, id),
      ({ endedAt }) => endedAt !== null,
    );
    expect(root.output?.text).toBe('All is done.');
  });
});
