import { useFamilyWords } from '../../ui/error-family.ts';
import { Markdown } from '../markdown.tsx';
import type { FamilyLineProps } from './family-line.tsx';
import css from './runs.module.css';

/** What went wrong and what mends it, for whoever reads. */
export default function FamilyWords({ family, detail, isMendTold = false }: FamilyLineProps) {
  const { label, mend } = useFamilyWords()(family);
  return (
    <div className={css.trouble}>
      <p>
        <strong>{label}.</strong> {isMendTold ? null : mend}
      </p>
      {detail ? (
        <div className={css.soft} lang="en">
          <Markdown text={detail} />
        </div>
      ) : null}
    </div>
  );
}
