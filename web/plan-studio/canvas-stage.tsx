import { type ReactNode, type RefObject, useId } from 'react';
import { useText } from '../i18n/text.ts';
import css from './canvas.module.css';
import { useView } from './canvas-camera.ts';
import { refusalText } from './canvas-note.tsx';
import { useCanvas } from './canvas-store.ts';
import { canvasText } from './canvas-text.ts';
import { namedTitle } from './plan-node-words.ts';

/** How much a card says at a zoom: all, its title, or its state. */
const detailAt = (zoom: number): 'full' | 'title' | 'shape' => {
  if (zoom >= 0.6) return 'full';
  return zoom >= 0.3 ? 'title' : 'shape';
};

interface StageProps {
  ref: RefObject<HTMLElement | null>;
  /** The dependency that was drawn last, to say so. */
  connected: readonly [from: string, to: string] | null;
  children: ReactNode;
}

/** The frame of the canvas. What holds for all cards and lines is said once, here, and styled from here. */
export function CanvasStage({ ref, connected, children }: StageProps) {
  const t = useText(canvasText);
  const help = useId();
  const detail = useView(({ zoom }) => detailAt(zoom));
  const flow = useCanvas(({ model }) => model.layout.flow);
  const isTracing = useCanvas(({ trace, connection, found }) => Boolean(trace ?? connection ?? found));
  return (
    <section
      ref={ref}
      className={css.stage}
      aria-label={t.canvas}
      aria-describedby={help}
      data-detail={detail}
      data-flow={flow}
      data-tracing={isTracing || undefined}
    >
      <p id={help} hidden>
        {t.help}
      </p>
      {children}
      <Announcer connected={connected} />
    </section>
  );
}

/** Says in whole sentences what the pointer brings about. */
function Announcer({ connected }: Pick<StageProps, 'connected'>) {
  const t = useText(canvasText);
  const nodes = useCanvas(({ model }) => model.nodes);
  const from = useCanvas(({ connection }) => connection?.from);
  const over = useCanvas(({ connection }) => connection?.over);
  const refusal = useCanvas(({ connection }) => connection?.refusal);
  const refused = refusal && from && over && from !== over ? refusalText(refusal, from, over, nodes, t) : '';
  const done = connected ? t.connected(namedTitle(nodes, connected[0]), namedTitle(nodes, connected[1])) : '';
  return (
    <p className="visually-hidden" role="status">
      {refused || done}
    </p>
  );
}
