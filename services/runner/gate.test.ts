import { expect, test } from 'bun:test';
import { createGate } from './gate.ts';

const nothing = async () => undefined;

test('shared tasks run side by side, an exclusive one alone, all in the order they came', async () => {
  const gate = createGate();
  const seen: string[] = [];
  const held = Promise.withResolvers<void>();
  const task = (name: string, until?: Promise<void>) => async () => {
    seen.push(`${name} in`);
    await until;
    seen.push(`${name} out`);
  };
  const all = [
    gate.shared('k', task('a', held.promise), nothing),
    gate.shared('k', task('b'), nothing),
    gate.exclusive('k', task('c')),
    gate.shared('k', task('d'), nothing),
    gate.exclusive('other', task('e')),
  ];
  await all[4];
  expect(seen).toContain('e out');
  expect(seen).not.toContain('c in');
  expect(gate.isFree('k')).toBe(false);
  held.resolve();
  await Promise.all(all);
  const order = seen.filter((entry) => /^[acd]/.test(entry));
  expect(order).toEqual(['a in', 'a out', 'c in', 'c out', 'd in', 'd out']);
  expect(gate.isFree('k')).toBe(true);
});

test('the last shared task to leave runs its idle work before anyone enters, also when it fails', async () => {
  const gate = createGate();
  const seen: string[] = [];
  const failing = gate.shared(
    'k',
    async () => {
      throw new Error('task');
    },
    async () => {
      seen.push('idle');
    },
  );
  const next = gate.exclusive('k', async () => seen.push('next'));
  await expect(failing).rejects.toThrow('task');
  await next;
  expect(seen).toEqual(['idle', 'next']);
});
