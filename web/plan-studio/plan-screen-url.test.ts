import { expect, test } from 'bun:test';
import { readPlanUrl, writePlanUrl } from './plan-screen-url.ts';

const read = (text: string) => readPlanUrl(new URLSearchParams(text));

test('the URL says what is shown, and what makes no sense says nothing', () => {
  expect(read('node=ticket/a&view=outline&panel=revisions&diff=2..5')).toMatchObject({
    ...{ node: 'ticket/a', view: 'outline', panel: 'revisions', diff: { from: 2, to: 5 }, rev: null },
  });
  expect(read('view=x&panel=y&diff=2..2&rev=-1')).toEqual(read(''));
  expect(read('diff=2..x').diff).toBeNull();
});

test('defaults are not written, and what else is in the URL stays', () => {
  const all = writePlanUrl(new URLSearchParams('x=1'), { panel: 'part', rev: 3, view: 'outline' });
  expect(all.toString()).toBe('x=1&view=outline&panel=part&rev=3');
  expect(writePlanUrl(all, { panel: 'details', rev: null, view: 'graph' }).toString()).toBe('x=1');
});
