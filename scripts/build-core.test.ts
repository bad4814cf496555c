import { expect, test } from 'bun:test';
import { buildCore, compileCore, refuseImports } from './build-core.ts';

const digest = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');

test('is reproducible: compiling again gives the bytes that were built', async () => {
  const { sha256 } = await buildCore();
  expect(digest(await compileCore())).toBe(sha256);
});

test('does not compile again when the sources are those of the last build', async () => {
  await buildCore();
  expect((await buildCore()).built).toBe(false);
});

test('refuses a module with an import, naming it', () => {
  // (module (import "env" "now" (func)))
  const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  const type = [0x01, 0x04, 0x01, 0x60, 0x00, 0x00];
  const imports = [0x02, 0x0b, 0x01, 0x03, 0x65, 0x6e, 0x76, 0x03, 0x6e, 0x6f, 0x77, 0x00, 0x00];
  expect(() => refuseImports(Uint8Array.from([...header, ...type, ...imports]))).toThrow('env.now');
});
