import { expect, test } from 'bun:test';
import { soak } from './soak.ts';

/** The long one is `bun test/soak/main.ts`, half an hour with fifty agents. */
test('a short soak with failures, cancels and kills loses no message and leaves nothing at work', async () => {
  const report = await soak({ minutes: 0.3, agents: 8, killEverySeconds: 2, say: () => undefined });
  expect(report.findings).toEqual([]);
  expect(report.kills).toBeGreaterThanOrEqual(1);
  expect(report.messages).toBeGreaterThan(10);
}, 300_000);
