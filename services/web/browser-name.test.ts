import { expect, test } from 'bun:test';
import { browserNameOf } from './browser-name.ts';

const MOZILLA = 'Mozilla/5.0';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0';

const CASES: [string | null, string | null, string | null][] = [
  [`${MOZILLA} (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0`, 'Firefox', 'Linux'],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, 'Chrome', 'Windows'],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/156.0`, 'Edge', 'Windows'],
  [`${MOZILLA} (Linux; Android 16; K) ${CHROME} Mobile Safari/537.36`, 'Chrome', 'Android'],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`,
    'Safari',
    'macOS',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 26_0 like Mac OS X) CriOS/156.0 Mobile Safari/604.1`,
    'Chrome',
    'iPhone',
  ],
  ['<script>alert(1)</script>', null, null],
  ['', null, null],
  [null, null, null],
];

test.each(CASES)('%j is %s on %s', (userAgent, browser, system) => {
  expect(browserNameOf(userAgent)).toEqual({ browser, system });
});
