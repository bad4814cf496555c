import { useMemo, useRef } from 'react';
import type { StepRun } from '../../services/orchestration/orchestrations/orchestration.ts';
import { useNames } from '../conversation/names.ts';
import { texts, useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { useFamilyWords } from '../ui/error-family.ts';

const words = texts(
  {
    queued: 'Waits for a free place',
    stalled: 'Silent for long',
    paused: (name: string) => `Paused by ${name}`,
    takenOver: (name: string) => `Taken over by ${name}`,
    byYou: 'Taken over by you',
  },
  {
    queued: 'Attend une place libre',
    stalled: 'Silencieux depuis longtemps',
    paused: (name: string) => `En pause : ${name}`,
    takenOver: (name: string) => `Repris par ${name}`,
    byYou: 'Repris par vous',
  },
);

/** What the status's word does not say of a run, in a few words; null where it says all. */
export function useStandingNote(ws: string): (run: StepRun) => string | null {
  const t = useText(words);
  const names = useNames(ws);
  const me = useMe().actor;
  const familyOf = useFamilyWords();
  // A function of every render, which says the same as long as the words above are the same.
  const families = useRef(familyOf);
  families.current = familyOf;
  return useMemo(
    () =>
      ({ standing, errorFamily, pausedBy, takenOverBy }) => {
        if (standing === 'queued' || standing === 'stalled') return t[standing];
        if (standing === 'paused') return pausedBy && t.paused(names(pausedBy).name);
        if (standing === 'takenOver')
          return takenOverBy && (takenOverBy === me ? t.byYou : t.takenOver(names(takenOverBy).name));
        return errorFamily === null ? null : families.current(errorFamily).label;
      },
    [t, names, me],
  );
}
