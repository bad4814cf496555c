import type { MadeReview } from '../../../test/github/pull.ts';
import type { Actor } from '../../kit/actor.ts';
import { finding, type Json, NEW, OLD, type TestReview } from './test-review.ts';

/** A file that the pull request leaves as it is. */
export const BIG = Array.from({ length: 40 }, (_, i) => `l${i + 1}\n`).join('');

/** What tests of publication do over and over; each review is of a pull request of its own. */
export function publications(bench: TestReview, firstNumber: number) {
  let number = firstNumber;
  const opening = (more: Json = {}): Promise<Json> => {
    number += 1;
    const base = { 'src/a.ts': OLD, 'big.ts': BIG };
    return bench.review({ number, base, head: { ...base, 'src/a.ts': NEW }, ...more });
  };
  const finalized = (id: string, actor: Actor = bench.author): Promise<Json> =>
    bench.ok('POST', `/${id}/finalize`, {}, actor);
  return {
    opening,
    finalized,
    /** The number of the pull request that was opened last. */
    number: () => number,
    /** A review with a finding that blocks, and its verdict. */
    async reviewed(more: Json = {}): Promise<{ opened: Json; outcome: Json }> {
      const opened = await opening(more);
      const blocking = finding({ priority: 'P0', confidence: 0.9 });
      await bench.ok('POST', `/${opened.id}/findings`, blocking, bench.author);
      return { opened, outcome: await finalized(opened.id) };
    },
    publish: (id: string, actor: Actor = bench.open.person) =>
      bench.call('POST', `/reviews/${id}/publish`, {}, actor),
    /** What the provider has of the pull request that was opened last. */
    madeOf: (): MadeReview[] => bench.github.pulls.get(number)?.reviews ?? [],
    inState: (id: string, state: string) =>
      bench.until(id, ({ publication }) => publication?.state === state),
    async approvalOf(id: string): Promise<Json> {
      const { publication } = await bench.until(id, (view) => view.publication?.approvalId !== null);
      return (await bench.call('GET', `/approvals/${publication.approvalId}`)).body;
    },
    decide: (approvalId: string, body: Json) => bench.call('POST', `/approvals/${approvalId}/decision`, body),
  };
}
