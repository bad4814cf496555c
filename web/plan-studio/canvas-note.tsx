import { useText } from '../i18n/text.ts';
import css from './canvas.module.css';
import { useCanvas } from './canvas-store.ts';
import { type CanvasText, canvasText } from './canvas-text.ts';
import type { NodesByKey, Refusal } from './cycle.ts';
import { namedTitle } from './plan-node-words.ts';

/** Titles of a path that are said in full; a longer one is cut in its middle. */
const SAID = 5;

/** Why a dependency cannot be drawn, in words. */
export function refusalText(
  refusal: Refusal,
  from: string,
  to: string,
  nodes: NodesByKey,
  t: CanvasText,
): string {
  const titleOf = (key: string) => namedTitle(nodes, key);
  switch (refusal.reason) {
    case 'self':
      return t.refused.self;
    case 'structural':
      return t.refused.structural;
    case 'duplicate':
      return t.refused.duplicate(titleOf(from), titleOf(to));
    case 'read-only':
      return t.refused['read-only'](titleOf(to));
    case 'cycle': {
      const titles = refusal.path.map(titleOf);
      const shown = titles.length > SAID ? [...titles.slice(0, 2), '…', ...titles.slice(-2)] : titles;
      return t.refused.cycle(titles.length, shown.join(' → '));
    }
  }
}

/** Beside the pointer, while a dependency is drawn onto a node that cannot have it. */
export function RefusalNote() {
  const t = useText(canvasText);
  const connection = useCanvas((state) => state.connection);
  const nodes = useCanvas(({ model }) => model.nodes);
  const isShown = connection?.refusal && connection.over && connection.over !== connection.from;
  const text =
    isShown && connection.refusal && connection.over
      ? refusalText(connection.refusal, connection.from, connection.over, nodes, t)
      : '';
  if (!text || !connection) return null;
  const { x, y } = connection.screen;
  // Said by the announcer; this is for the eye.
  return (
    <div className={css.note} aria-hidden="true" style={{ left: x, top: y }}>
      {text}
    </div>
  );
}
