import { expect, test } from 'bun:test';
import { honestyOf } from '../../../services/runs/honesty/honesty.ts';
import { noPaint } from '../paint.ts';
import { honestyText } from './honesty-text.ts';

test('each question has its answer by adapter, and under it what makes it so', () => {
  const matrix = honestyOf({
    ...{ platform: 'linux', git: '2.39.5', ripgrep: true },
    sandbox: { backend: null, reason: 'bubblewrap is not installed', network: 'shared' },
  });
  const lines = honestyText(matrix, noPaint).split('\n');
  expect(lines[0]).toMatch(/^QUESTION +cc-harness +claude-code$/);
  for (const question of Object.values(matrix.questions))
    expect(lines.filter((line) => line.startsWith(question)).length).toBe(1);
  expect(lines).toContain('On linux, sandbox: none (bubblewrap is not installed).');
  const hows = matrix.adapters.flatMap(({ facts }) => Object.values(facts));
  for (const { how } of hows) expect(lines.some((line) => line.endsWith(how))).toBe(true);
});
