import { expect, test } from 'bun:test';
import { createLiveRegion } from './live-region.ts';

function record(columns = 20, rows = 8) {
  const written: string[] = [];
  return {
    written,
    region: createLiveRegion({ columns, rows, write: (text: string) => written.push(text) }),
  };
}

test('a line goes above the region, which is painted again below it', () => {
  const { written, region } = record();
  region.show('one\ntwo');
  region.line('news');
  region.clear();
  expect(written).toEqual(['one\ntwo\n', '\u001b[2A\u001b[0Jnews\none\ntwo\n', '\u001b[2A\u001b[0J']);
});

test('what did not change is not painted again', () => {
  const { written, region } = record();
  region.show('same');
  region.show('same');
  expect(written).toEqual(['same\n']);
});

test('lines that do not fit are cut, and too many leave out the middle', () => {
  const { written, region } = record(10, 6);
  region.show(['a line far too wide', '1', '2', '3', '4', '5'].join('\n'));
  expect(written).toEqual(['a line f…\n1\n… 3 more …\n5\n']);
});
