import { Suspense } from 'react';
import { lazyPart } from '../../shell/lazy-part.ts';

const FamilyWords = lazyPart('family-words', () => import('./family-words.tsx'));

export interface FamilyLineProps {
  family: string;
  /** The server's own sentences, in English Markdown, which name what exactly. */
  detail: string | null;
  /** The details say already what mends it. */
  isMendTold?: boolean;
}

/** What went wrong with a run. There are many words for it, and most conversations need none. */
export function FamilyLine(props: FamilyLineProps) {
  return (
    <Suspense>
      <FamilyWords {...props} />
    </Suspense>
  );
}
