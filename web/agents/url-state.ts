import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** One parameter of the address; empty is left out. Writing it makes no new entry of the history. */
export function useUrlText(name: string): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (value: string) =>
      setParams(
        () => {
          // As it stands now, not as it was drawn last: two parameters may be written at once.
          const next = new URLSearchParams(location.search);
          if (value === '') next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    [name, setParams],
  );
  return [params.get(name) ?? '', set];
}

/** The same, of a few words; anything else in the address is the first of them, which is left out. */
export function useUrlChoice<T extends string>(
  name: string,
  choices: readonly [T, ...T[]],
): [T, (value: T) => void] {
  const [text, setText] = useUrlText(name);
  const value = choices.find((choice) => choice === text) ?? choices[0];
  return [value, (next) => setText(next === choices[0] ? '' : next)];
}
