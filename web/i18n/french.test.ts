import { expect, test } from 'bun:test';
import { typesetFrench } from './french.ts';

test('punctuation stays with its word, in every text of a part', () => {
  const words = typesetFrench({
    ask: 'Supprimer « plan » ?',
    list: ['Attention !', ['Encore ; oui']],
    of: (name: string, n: number) => `Plan ${name} : ${n} étapes`,
  });
  expect(words.ask).toBe('Supprimer «\u202fplan\u202f»\u202f?');
  expect(words.list).toEqual(['Attention\u202f!', ['Encore\u202f; oui']]);
  expect(words.of('a', 2)).toBe('Plan a\u00a0: 2 étapes');
});

test('times, addresses and plain sentences are left alone', () => {
  const text = 'À 12:30, voir https://exemple.fr/?a=1 et /skill:nom. Bien !';
  expect(typesetFrench(text)).toBe(text.replace(' !', '\u202f!'));
});

test('what people wrote stays to the letter in the words around it', () => {
  const { run, two } = typesetFrench({
    run: (command: string) => `Lancer ${command} ?`,
    two: (a: string, b: string) => `${a} et ${b} : prêt !`,
  });
  expect(run('cd x ; echo "a : b" !')).toBe('Lancer cd x ; echo "a : b" ! ?');
  expect(two('a ; b', 'c ? d')).toBe('a ; b et c ? d : prêt\u202f!');
  expect(run('ls')).toBe('Lancer ls\u202f?');
});
