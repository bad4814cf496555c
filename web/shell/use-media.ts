import { useSyncExternalStore } from 'react';

/** Whether a media query holds, as it changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => matchMedia(query).matches,
  );
}

/**
 * Too narrow for a sidebar beside the screen; also what a wide window is at 400 %. Written as the bundler writes `width < 48rem` in
 * styles, since browsers round it: at the very edge both have to say the same.
 */
export const useIsNarrow = (): boolean => useMedia('(max-width: calc(48rem - 0.001px))');
