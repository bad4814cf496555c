import type { Flow, Size } from './layout/layout.ts';
import type { PlanNode } from './plan-view.ts';

/** In rem, so that a larger text has a larger box; plan-node.module.css draws exactly these. */
const CARD = { width: 14, height: 4.25 };
const WORK_PILL = { width: 14, height: 3 };
const PILL = { width: 9, height: 2.25 };

const SIZES: Record<PlanNode['kind'], Size> = {
  ticket: CARD,
  research: WORK_PILL,
  position: WORK_PILL,
  synthesis: WORK_PILL,
  gate: PILL,
  start: PILL,
  collect: PILL,
  deliver: PILL,
};

/** Pixels of a rem on this page: the person's text size. */
export const rootPixels = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

export function sizeOf(kind: PlanNode['kind'], rem: number): Size {
  const { width, height } = SIZES[kind];
  return { width: Math.round(width * rem), height: Math.round(height * rem) };
}

const LAYER_GAP: Record<Flow, number> = { LR: 4, TB: 2.5 };
const NODE_GAP: Record<Flow, number> = { LR: 1, TB: 1.5 };
const inPixels = ({ LR, TB }: Record<Flow, number>, rem: number) => ({ LR: LR * rem, TB: TB * rem });

export const gapsOf = (rem: number) => ({
  layerGap: inPixels(LAYER_GAP, rem),
  nodeGap: inPixels(NODE_GAP, rem),
});
