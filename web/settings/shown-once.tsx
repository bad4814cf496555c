import { firstFocus } from '../shell/first-focus.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import css from './shown-once.module.css';

interface ShownOnceProps {
  /** What it is and how to treat it. */
  about: string;
  label: string;
  value: string;
  copyLabel: string;
  foot: string;
}

/** A secret in a field from which it is copied. */
export function ShownOnce({ about, label, value, copyLabel, foot }: ShownOnceProps) {
  return (
    <div className={css.secret}>
      <p>{about}</p>
      <input
        ref={firstFocus}
        readOnly
        aria-label={label}
        value={value}
        onFocus={({ target }) => target.select()}
        spellCheck={false}
      />
      <div className={css.foot}>
        <span>{foot}</span>
        <CopyButton label={copyLabel} text={() => value} />
      </div>
    </div>
  );
}
