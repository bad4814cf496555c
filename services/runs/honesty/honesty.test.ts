import { expect, test } from 'bun:test';
import type { HostFacts } from '../../runner/runner.ts';
import { QUESTIONS } from './facts.ts';
import { honestyOf } from './honesty.ts';

const hostWith = (backend: 'bubblewrap' | null): HostFacts => ({
  ...{ platform: 'linux', git: '2.39.5', ripgrep: true },
  sandbox: { backend, reason: backend ? null : 'bubblewrap (bwrap) is not installed', network: 'shared' },
});

test('every question has an answer for every adapter on every host', () => {
  for (const host of [hostWith('bubblewrap'), hostWith(null)]) {
    const { adapters } = honestyOf(host);
    expect(adapters.map(({ adapter, available }) => [adapter, available])).toEqual([
      ['cc-harness', true],
      ['claude-code', false],
    ]);
    for (const { facts, available, reason } of adapters) {
      expect(Object.keys(facts)).toEqual(Object.keys(QUESTIONS));
      expect(reason === null).toBe(available);
      for (const { how } of Object.values(facts)) expect(how).toEndWith('.');
    }
  }
});

test('nothing below the tools is claimed on a host without a sandbox, and the reason is said', () => {
  for (const { facts } of honestyOf(hostWith(null)).adapters) {
    for (const fact of [facts.processSandboxed, facts.worktreeReadOnly]) {
      expect(fact.holds).toBe('no');
      expect(fact.how).toContain('not installed');
    }
  }
});

test('Claude Code is not said to hold what only the built-in loop holds', () => {
  const [harness, claudeCode] = honestyOf(hostWith('bubblewrap')).adapters.map(({ facts }) => facts);
  const questions = ['surfaceFiltered', 'callsIntercepted', 'ownToolsSeen', 'contractObserved'] as const;
  expect(questions.map((question) => harness?.[question].holds)).toEqual(['yes', 'yes', 'yes', 'yes']);
  expect(questions.map((question) => claudeCode?.[question].holds)).toEqual(['partly', 'partly', 'no', 'no']);
});
