import { expect, test } from 'bun:test';
import { isUnread } from './is-unread.ts';

const seen = { since: { ws: 100 }, seen: { known: 200 } };

test('news is what came after the space was shown, or after this browser first saw the workspace', () => {
  expect(isUnread(seen, 'ws', 'known', 150, undefined)).toBe(false);
  expect(isUnread(seen, 'ws', 'known', 150, 250)).toBe(true);
  expect(isUnread(seen, 'ws', 'new', 90, undefined)).toBe(false);
  expect(isUnread(seen, 'ws', 'new', 110, undefined)).toBe(true);
  expect(isUnread(seen, 'ws', 'silent', null, undefined)).toBe(false);
  expect(isUnread(seen, 'elsewhere', 'new', 999, undefined)).toBe(false);
});
