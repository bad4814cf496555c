import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { fileNameOf, hasExtension, isOfServices } from './web-path.ts';

test.each([
  ['/', ''],
  ['/index.html', 'index.html'],
  ['/assets/a-1.js', 'assets/a-1.js'],
  ['/assets/%61-1.js', 'assets/a-1.js'],
  ['/w/shop/', 'w/shop'],
  ['/%C3%BC', 'ü'],
  ['/%252e%252e', '%2e%2e'],
])('%s names %j', (path, name) => {
  expect(fileNameOf(path)).toBe(name);
});

test.each([
  '//',
  '//x',
  '/a//b',
  '/%',
  '/%zz',
  '/%ff',
  '/a%00.js',
  '/..',
  '/../x',
  '/%2e%2e/x',
  '/a/%2E%2e',
  '/..%2fx',
  '/a%5c..%5cx',
  '/a%0d%0ab',
])('%s names nothing', (path) => {
  expect(fileNameOf(path)).toBeNull();
});

test('no path names anything above', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('..', '.', '/', '\\', '%2e', '%2f', '%5c', '%00', '%25'),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const name = fileNameOf(`/${pieces.join('')}`);
      if (name === null || name === '') return;
      expect(name.split('/').every((part) => !['', '.', '..'].includes(part))).toBe(true);
      expect(name).not.toMatch(/[\0\\]/);
    }),
  );
});

test('services have their paths, and no others', () => {
  for (const path of [
    '/api',
    '/api/',
    '/api/x.js',
    '/API/x',
    '/hooks/github/ws_1',
    '/internal/wake',
    '/healthz',
  ])
    expect([path, isOfServices(path)]).toEqual([path, true]);
  for (const path of ['/', '/apis', '/api.js', '/healthzz', '/x/api']) {
    expect([path, isOfServices(path)]).toEqual([path, false]);
  }
});

test('a dot in the last part is an extension', () => {
  expect(['a.js', 'w/a.b', 'w.x/a', 'w', ''].map(hasExtension)).toEqual([true, true, false, false, false]);
});
