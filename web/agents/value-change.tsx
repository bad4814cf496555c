import type { ReactNode } from 'react';
import css from './value-change.module.css';

interface ValueChangeProps {
  /** What each side is called; screen readers hear it, the signs show it. */
  words: { before: string; after: string };
  from: ReactNode;
  to: ReactNode;
}

/** What a value was and what it becomes, on one line where there is room. */
export function ValueChange({ words, from, to }: ValueChangeProps) {
  return (
    <span className={css.change}>
      <del>
        <span className="visually-hidden">{words.before}: </span>
        {from}
      </del>
      <span aria-hidden="true">→</span>
      <ins>
        <span className="visually-hidden">{words.after}: </span>
        {to}
      </ins>
    </span>
  );
}
