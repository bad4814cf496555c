import { Lock, Minus, Pencil, Plus } from 'lucide-react';
import { memo, useLayoutEffect, useRef } from 'react';
import { useText } from '../i18n/text.ts';
import { Status } from '../ui/status.tsx';
import { statusText } from '../ui/status-words.ts';
import { lightOf, traceNode, useCanvas, useCanvasActions, useCanvasStore } from './canvas-store.ts';
import { canvasText } from './canvas-text.ts';
import type { Box } from './edge-path.ts';
import css from './plan-node.module.css';
import { Onlookers, useOnlookersText } from './plan-node-onlookers.tsx';
import status from './plan-node-state.module.css';
import { nodeSentence, shownTitle, stateOf, timeOf, toneOf } from './plan-node-words.ts';
import type { Change, PlanNode } from './plan-view.ts';
import { useHoverTrace } from './use-hover-trace.ts';

interface NodeProps extends Box {
  node: PlanNode;
  isCritical: boolean;
}

/**
 * A step on the canvas: a card for a ticket, a dashed pill for what is part of the plan's structure. What changes at every move
 * of the pointer is an attribute of the frame alone; the card in it is drawn when the step changes.
 */
export const PlanNodeCard = memo(function PlanNodeCard({ node, isCritical, ...box }: NodeProps) {
  const { key: id } = node;
  const { x, y, width, height } = box;
  const light = useCanvas((state) => lightOf(state, id));
  const hover = useHoverTrace(id);
  return (
    <div
      className={`${css.step} ${status.step}`}
      {...hover}
      style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
      data-key={id}
      data-kind={node.kind === 'ticket' ? 'card' : 'pill'}
      data-light={light}
      data-change={node.change}
      data-critical={isCritical || undefined}
      data-deferred={node.isDeferred || undefined}
      data-tone={toneOf(node, isCritical)}
    >
      <Card node={node} isCritical={isCritical} />
      <Handle node={node} />
      <Onlookers nodeKey={id} />
    </div>
  );
});

const Card = memo(function Card({ node, isCritical }: { node: PlanNode; isCritical: boolean }) {
  const { key } = node;
  const t = useText(canvasText);
  const statuses = useText(statusText);
  const store = useCanvasStore();
  const actions = useCanvasActions();
  const isSelected = useCanvas(({ selectedKey }) => selectedKey === key);
  const isStop = useCanvas(({ stopKey }) => stopKey === key);
  const button = useWantedFocus(key);
  const onlookers = useOnlookersText(key);
  const title = shownTitle(node);
  const [state, time] = [stateOf(node, statuses), timeOf(node, t)];
  return (
    <button
      ref={button}
      type="button"
      className={css.card}
      tabIndex={isStop ? 0 : -1}
      data-field={isStop ? 'stop' : undefined}
      aria-pressed={isSelected}
      aria-label={[nodeSentence(node, isCritical, t, statuses), onlookers].filter(Boolean).join(', ')}
      title={node.statusNote ? `${title}\n${node.statusNote}` : title}
      onClick={() => actions.select(key)}
      onDoubleClick={() => actions.open(key)}
      onFocus={({ currentTarget }) => {
        store.setState({ stopKey: key });
        if (currentTarget.matches(':focus-visible')) traceNode(store, key);
      }}
      onBlur={() => traceNode(store, null)}
    >
      <span className={css.head}>
        <Mark node={node} />
        <span className={css.title}>{title}</span>
      </span>{' '}
      {state || node.roleTitle || time ? (
        <span className={css.meta}>
          {state ? <span className={status.state}>{state}</span> : null}{' '}
          <span className={css.role}>{node.statusNote ? null : node.roleTitle}</span>{' '}
          <span className={css.time}>{time}</span>
        </span>
      ) : null}
    </button>
  );
});

const CHANGES: Record<Change, typeof Plus> = { added: Plus, removed: Minus, changed: Pencil };

/** What a card begins with: what a revision did to it, its state, or that it is not to be edited. */
function Mark({ node: { change, status, kind } }: { node: PlanNode }) {
  const Icon = change ? CHANGES[change] : kind === 'ticket' ? null : Lock;
  if (!change && status) return <Status status={status} isShapeOnly />;
  return Icon ? <Icon className={css.mark} size={14} strokeWidth={2.25} aria-hidden /> : null;
}

/** The keyboard's way to the same is "Depends on" in the details, so that this is for pointers alone. */
const Handle = memo(function Handle({ node }: { node: PlanNode }) {
  const t = useText(canvasText);
  const actions = useCanvasActions();
  const isShown = useCanvas(({ isEditable }) => isEditable) && node.kind === 'ticket';
  if (!isShown) return null;
  return (
    <span
      className={css.handle}
      title={t.handle}
      aria-hidden="true"
      onPointerDown={(event) => actions.draw(event.nativeEvent, node.key)}
    />
  );
});

/** Takes the focus when the keyboard has walked here, though the node came into view just now. */
function useWantedFocus(key: string) {
  const store = useCanvasStore();
  const isWanted = useCanvas(({ wantedKey }) => wantedKey === key);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (!isWanted) return;
    button.current?.focus({ preventScroll: true });
    store.setState({ wantedKey: null });
  }, [isWanted, store]);
  return button;
}
