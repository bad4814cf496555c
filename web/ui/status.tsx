import { useText } from '../i18n/text.ts';
import css from './status.module.css';
import { type StatusWord, statusText } from './status-words.ts';

/** Shapes that differ without colour; legible in forced colours, since they are drawn in the text's own. */
const SHAPES: Record<StatusWord, string> = {
  pending: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z',
  ready: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z',
  running: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z M8 2a6 6 0 0 1 0 12Z',
  paused: 'M4 2.500h3v11H4Z M9 2.500h3v11H9Z',
  blocked: 'M8 2 15 14H1Z M8 6.500v4 M8 11.800v.6',
  awaiting: 'M8 1.5 14.5 8 8 14.5 1.5 8Z M8 5v3.5 M8 10.300v.7',
  done: 'M8 1.500a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13Z M5 8.200l2.2 2.200L11.2 6',
  failed: 'M2 2h12v12H2Z M5.2 5.200l5.6 5.6 M10.8 5.200l-5.6 5.6',
  cancelled: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z M4 8h8',
  skipped: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z M5 8h5 M8 5.7 10.4 8 8 10.3',
  deferred: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z M8 5v3.200l2.2 1.5',
  idle: 'M8 4.500a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7Z',
  offline: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z M4 12 12 4',
};

interface StatusProps {
  status: StatusWord;
  /** Other words than the usual ones for this status. */
  label?: string;
  /** The word is for screen readers alone, where room is short. */
  isShapeOnly?: boolean;
}

/** A status as shape, word and colour. */
export function Status({ status, label, isShapeOnly = false }: StatusProps) {
  const words = useText(statusText);
  return (
    <span className={`${css.status} ${css[status]}`}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" className={css.shape}>
        <path d={SHAPES[status]} />
      </svg>
      <span className={isShapeOnly ? 'visually-hidden' : undefined}>{label ?? words[status]}</span>
    </span>
  );
}
