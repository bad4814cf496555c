import type { CanvasModel } from './canvas-model.ts';
import { middleOf } from './edge-path.ts';

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';
type Step = 'forward' | 'back' | 'after' | 'before';

const STEPS: Record<'LR' | 'TB', Record<Arrow, Step>> = {
  LR: { ArrowRight: 'forward', ArrowLeft: 'back', ArrowDown: 'after', ArrowUp: 'before' },
  TB: { ArrowDown: 'forward', ArrowUp: 'back', ArrowRight: 'after', ArrowLeft: 'before' },
};

type Walked = Pick<CanvasModel, 'graph' | 'layout' | 'boxes'>;

/**
 * Where an arrow leads: along the flow to the closest node that depends on this one (against it, that this one depends on), or
 * else the nearest of the next layer that has any; across it to the neighbour in the same layer. Null at the rim.
 */
export function walk(model: Walked, from: string, arrow: Arrow): string | null {
  const step = STEPS[model.layout.flow][arrow];
  if (step === 'after' || step === 'before') return neighbour(model, from, step === 'after' ? 1 : -1);
  const linked = step === 'forward' ? model.graph.outNeighbors(from) : model.graph.inNeighbors(from);
  return (
    nearest(model, from, closestLayer(model, from, linked)) ??
    nearest(model, from, nextLayer(model, from, step))
  );
}

/** Across the layers, where a node's middle is. */
function across({ layout, boxes }: Walked, key: string): number {
  const middle = middleOf(boxes.get(key)!);
  return layout.flow === 'LR' ? middle.y : middle.x;
}

function nearest(model: Walked, from: string, keys: readonly string[]): string | null {
  const here = across(model, from);
  const far = (key: string) => Math.abs(across(model, key) - here);
  return keys.reduce<string | null>(
    (best, key) => (best === null || far(key) < far(best) ? key : best),
    null,
  );
}

/** Of the nodes tied to this one, those the fewest layers away: a walk passes over nobody. */
function closestLayer({ layout: { layerOf } }: Walked, from: string, keys: readonly string[]): string[] {
  const far = (key: string) => Math.abs(layerOf.get(key)! - layerOf.get(from)!);
  const least = Math.min(...keys.map(far));
  return keys.filter((key) => far(key) === least);
}

function neighbour(model: Walked, from: string, direction: 1 | -1): string | null {
  const here = across(model, from);
  const beyond = layerMates(model, from).filter((key) => (across(model, key) - here) * direction > 0);
  return nearest(model, from, beyond);
}

function layerMates({ layout }: Walked, key: string): string[] {
  const layer = layout.layerOf.get(key);
  return [...layout.layerOf].flatMap(([other, at]) => (at === layer && other !== key ? [other] : []));
}

function nextLayer({ layout }: Walked, from: string, step: 'forward' | 'back'): string[] {
  const here = layout.layerOf.get(from)!;
  const wanted = step === 'forward' ? here + 1 : here - 1;
  return [...layout.layerOf].flatMap(([key, at]) => (at === wanted ? [key] : []));
}
