import { describe, expect, test } from 'bun:test';
import { createFetchPage } from './fetch-page.ts';

const quiet = new AbortController().signal;
const refusal = (code: string, message: RegExp) => ({ code, message: expect.stringMatching(message) });

describe('what is not public is refused', () => {
  const strict = (url: string, addresses: string[] = ['93.184.215.14']) =>
    createFetchPage({ resolve: async () => addresses, limitMs: 300 })(url, quiet);

  test.each([
    ['http://intern.test/', ['10.0.0.5']],
    ['http://meta.test/latest', ['169.254.169.254']],
    ['http://mixed.test/', ['93.184.215.14', '192.168.1.1']],
    ['https://six.test/', ['::ffff:127.0.0.1']],
    ['https://ula.test/', ['fd00:ec2::254']],
  ])('%s, which leads to %j', async (url, addresses) => {
    await expect(strict(url, addresses)).rejects.toMatchObject(refusal('forbidden', /no public address/));
  });

  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:7f00:1]',
    'localhost',
    '0',
  ])('http://%s:80, as this host itself', async (host) => {
    const asIs = createFetchPage({ limitMs: 3_000 })(`http://${host}/`, quiet);
    await expect(asIs).rejects.toMatchObject({ code: 'forbidden' });
  });

  test.each([
    ['ftp://pages.test/', /Only http and https/],
    ['file:///etc/passwd', /Only http and https/],
    ['data:text/plain,x', /Only http and https/],
    ['http://me:secret@pages.test/', /user name or password/],
    ['http://pages.test:22/', /Port 22/],
    ['http://pages.test:8080/', /Port 8080/],
    ['pages.test', /no URL/],
    [`http://pages.test/${'x'.repeat(9_000)}`, /no URL/],
  ])('%.40s', async (url, message) => {
    await expect(strict(url)).rejects.toMatchObject(refusal('invalid_request', message));
  });

  test('an unknown host', async () => {
    await expect(strict('http://none.test/', [])).rejects.toMatchObject(refusal('unavailable', /not known/));
    const real = createFetchPage({})('http://does-not-exist.invalid/', quiet);
    await expect(real).rejects.toMatchObject(refusal('unavailable', /not known/));
  });
});
