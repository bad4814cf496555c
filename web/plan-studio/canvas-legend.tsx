import { useText } from '../i18n/text.ts';
import { Status } from '../ui/status.tsx';
import { type StatusWord, statusText } from '../ui/status-words.ts';
import css from './canvas.module.css';
import type { CanvasModel } from './canvas-model.ts';
import { useCanvas } from './canvas-store.ts';
import { canvasText } from './canvas-text.ts';

const LOOKS = ['critical', 'redundant', 'added', 'removed', 'changed'] as const;
type Look = (typeof LOOKS)[number];

/** Names the looks and states that are on the screen and no other; of the states also how many steps have each. */
export function CanvasLegend({ isOpen }: { isOpen: boolean }) {
  const t = useText(canvasText);
  const statuses = useText(statusText);
  const model = useCanvas((state) => state.model);
  const [looks, states] = [looksOf(model), statesOf(model)];
  if (looks.length + states.length === 0) return null;
  return (
    <ul className={css.legend} aria-label={t.legend} data-open={isOpen || undefined}>
      {states.map(([state, steps]) => (
        <li key={state}>
          <Status status={state} label={`${statuses[state]} ${steps}`} />
        </li>
      ))}
      {looks.map((look) => (
        <li key={look}>
          <span className={`${css.sample} ${css[look]}`} aria-hidden="true" />
          {t.looks[look]}
        </li>
      ))}
    </ul>
  );
}

function looksOf({ edges, critical, nodes }: CanvasModel): Look[] {
  const shown = new Set<string>(edges.map(({ look }) => look));
  for (const { change } of nodes.values()) if (change) shown.add(change);
  if (critical.size > 0) shown.add('critical');
  return LOOKS.filter((look) => shown.has(look));
}

/** What needs somebody first, what is over last. */
const STATES: readonly StatusWord[] = [
  ...(['awaiting', 'failed', 'blocked', 'paused', 'deferred', 'running', 'ready', 'pending'] as const),
  ...(['done', 'skipped', 'cancelled'] as const),
];

function statesOf({ nodes }: CanvasModel): [StatusWord, number][] {
  const all = [...nodes.values()].map(({ status }) => status);
  return STATES.flatMap((state): [StatusWord, number][] => {
    const steps = all.filter((one) => one === state).length;
    return steps > 0 ? [[state, steps]] : [];
  });
}
