import { useState } from 'react';
import type { Steps } from '../../services/runs/pages/steps.ts';
import { runText } from '../conversation/runs/text.ts';
import { clockTime } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { LazyMarkdown } from './lazy-markdown.tsx';
import css from './run.module.css';
import { runWords } from './run-words.ts';

/** What is longer is opened by whoever wants to read it. */
const SHORT_CHARS = 600;

/** What came between two answers: what the run was told, a summary, or something taken back. */
export function BetweenView({ between }: { between: Steps['opening'][number] }) {
  const t = useText(runWords);
  const words = useText(runText);
  const [isOpen, setOpen] = useState(between.kind === 'note' && between.text.length < SHORT_CHARS);
  if (between.kind === 'undo') return <p className={css.between}>{words.undone(between.turns)}</p>;
  const title = between.kind === 'summary' ? words.summary(between.turns) : t.notes[between.cause];
  return (
    <details className={css.between} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} <span className={css.soft}>{clockTime(between.at)}</span>
      </summary>
      {isOpen ? (
        <div className={css.told}>
          <LazyMarkdown text={between.text} />
        </div>
      ) : null}
    </details>
  );
}
