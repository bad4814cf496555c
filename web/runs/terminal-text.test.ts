import { expect, test } from 'bun:test';
import { withoutOrders } from './terminal-text.ts';

test('orders to a terminal are left out, and no text with them', () => {
  expect(withoutOrders('\u001b[31mred\u001b[0m plain \u001b[1;32mgreen\u001b[m\u001b[K')).toBe(
    'red plain green',
  );
  expect(withoutOrders('\u001b]0;title\u0007done \u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\')).toBe(
    'done link',
  );
  expect(withoutOrders('\u001b(Bplain\u001b[?25l')).toBe('plain');
});

test('what is no whole order stays', () => {
  expect(withoutOrders('no orders [31m')).toBe('no orders [31m');
  expect(withoutOrders('cut off \u001b[3')).toBe('cut off \u001b[3');
  expect(withoutOrders('\u001b]0;no end')).toBe('\u001b]0;no end');
});
