import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { duration } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { useOpen } from '../open-state.ts';
import css from './runs.module.css';
import { runText } from './text.ts';

interface ThinkingProps {
  id: string;
  text: string;
  /** Null where it is not known, and while it goes on. */
  durationMs: number | null;
  isOn: boolean;
}

/** What a model thought, folded. */
export function Thinking({ id, text, durationMs, isOn }: ThinkingProps) {
  const t = useText(runText);
  const [isOpen, toggle] = useOpen(`${id}/thinking`);
  const panel = useId();
  const label = isOn ? t.thinking : durationMs === null ? t.thought : t.thoughtFor(duration(durationMs));
  return (
    <div className={css.thinking}>
      <button
        type="button"
        className={css.callLine}
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={toggle}
      >
        <ChevronRight size={14} aria-hidden className={css.chevron} />
        <span className={isOn ? css.pulse : undefined}>{label}</span>
      </button>
      <div id={panel} hidden={!isOpen} className={css.thought}>
        {isOpen ? text : null}
      </div>
    </div>
  );
}
