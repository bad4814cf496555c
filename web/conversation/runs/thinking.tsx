import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { duration } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { useOpen } from '../open-state.ts';
import calls from './calls.module.css';
import { runText } from './text.ts';
import css from './thinking.module.css';

interface ThinkingProps {
  id: string;
  text: string;
  /** Null where it is not known, and while it goes on. */
  durationMs: number | null;
  isOn: boolean;
}

/** Thoughts that came in one piece took no time that says anything. */
const LEAST_MS = 100;

/** What a model thought, folded. */
export function Thinking({ id, text, durationMs, isOn }: ThinkingProps) {
  const t = useText(runText);
  const [isOpen, toggle] = useOpen(`${id}/thinking`);
  const panel = useId();
  const isKnown = durationMs !== null && durationMs >= LEAST_MS;
  const label = isOn ? t.thinking : isKnown ? t.thoughtFor(duration(durationMs)) : t.thought;
  return (
    <div>
      <button
        type="button"
        className={`${calls.line} ${css.line}`}
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={toggle}
      >
        <ChevronRight size={14} aria-hidden className={calls.chevron} />
        <span className={isOn ? css.pulse : undefined}>{label}</span>
      </button>
      <div id={panel} hidden={!isOpen} className={css.thought}>
        {isOpen ? text : null}
      </div>
    </div>
  );
}
