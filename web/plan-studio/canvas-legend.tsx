import { useText } from '../i18n/text.ts';
import css from './canvas.module.css';
import { useCanvas } from './canvas-store.ts';
import { canvasText } from './canvas-text.ts';

const ENTRIES = ['critical', 'redundant', 'added', 'removed', 'changed'] as const;

/** Names the looks that are on the screen, and no other. */
export function CanvasLegend() {
  const t = useText(canvasText);
  const { edges, critical, nodes } = useCanvas((state) => state.model);
  const shown = new Set<string>(edges.map(({ look }) => look));
  for (const { change } of nodes.values()) if (change) shown.add(change);
  if (critical.size > 0) shown.add('critical');
  const entries = ENTRIES.filter((one) => shown.has(one));
  if (entries.length === 0) return null;
  return (
    <ul className={css.legend} aria-label={t.legend}>
      {entries.map((one) => (
        <li key={one}>
          <span className={`${css.sample} ${css[one]}`} aria-hidden="true" />
          {t.looks[one]}
        </li>
      ))}
    </ul>
  );
}
