import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { duration } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { Status } from '../../ui/status.tsx';
import type { StatusWord } from '../../ui/status-words.ts';
import { useNow } from '../../ui/use-now.ts';
import { objectOf, type StepCall } from './call-words.ts';
import css from './calls.module.css';
import { runText, toolVerbs } from './text.ts';

interface CallLineProps {
  call: StepCall;
  status: StatusWord;
  /** When it began, while it is being made. */
  runningSince: number | null;
  isOpen: boolean;
  onToggle(): void;
  /** What went in and came out. */
  children: ReactNode;
}

/** Lines of calls, one below the other. */
export function CallList({ children }: { children: ReactNode }) {
  return <div className={css.calls}>{children}</div>;
}

/** A call of a tool in one line: verb, object, state and time; what belongs to it opens below. */
export function CallLine({ call, status, runningSince, isOpen, onToggle, children }: CallLineProps) {
  const t = useText(runText);
  const verbs: Record<string, string> = useText(toolVerbs);
  const id = useId();
  const label = call.state === 'denied' ? t.denied : call.state === 'held' ? t.asks : undefined;
  const object = objectOf(call.input);
  return (
    <div className={css.call}>
      <button type="button" className={css.line} aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
        <ChevronRight size={14} aria-hidden className={css.chevron} />
        <span className={css.verb}>{verbs[call.name] ?? call.name}</span>
        <span className={css.object} title={object}>
          {object}
        </span>
        <span className={css.end}>
          <Status status={status} isShapeOnly={status === 'done'} {...(label !== undefined && { label })} />
          <CallTime durationMs={call.durationMs} since={runningSince} />
        </span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen ? children : null}
      </div>
    </div>
  );
}

function CallTime({ durationMs, since }: { durationMs: number | null; since: number | null }) {
  if (durationMs !== null) return <span className={css.time}>{duration(durationMs)}</span>;
  return since === null ? null : <Elapsed since={since} />;
}

/** How long something has been going on, in whole seconds. */
export function Elapsed({ since }: { since: number }) {
  const now = useNow();
  const seconds = Math.max(1, Math.floor((now - since) / 1_000));
  return <span className={css.time}>{duration(seconds * 1_000)}</span>;
}
