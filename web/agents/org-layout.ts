import type { OrgNode } from './org-graph.ts';

/** In rem, so that the chart grows with the text. */
export const CARD = { width: 13.5, height: 4.5 } as const;
const GAP = { across: 0.75, down: 2.25, stacked: 0.75, indent: 1.5 } as const;
/** So many who lead nobody themselves stand side by side; more stand below each other. */
const MOST_ABREAST = 4;

interface PlacedCard {
  node: OrgNode;
  /** Left upper corner. */
  x: number;
  y: number;
}

interface Point {
  x: number;
  y: number;
}

/** A line from a superior's card to a report's, by its corners. */
interface PlacedLine {
  from: string;
  to: string;
  points: Point[];
}

export interface OrgPicture {
  cards: PlacedCard[];
  lines: PlacedLine[];
  width: number;
  height: number;
}

interface Block {
  cards: PlacedCard[];
  lines: PlacedLine[];
  width: number;
  height: number;
}

/**
 * The chart from the top down, each superior above the middle of those who report there; below the trees, in rows, those who
 * neither lead nor report. Nothing overlaps.
 */
export function orgPicture(trees: readonly OrgNode[]): OrgPicture {
  const led = abreast(trees.filter(({ reports }) => reports.length > 0).map(blockOf), 0);
  const lone = trees.filter(({ reports }) => reports.length === 0);
  const step = { across: CARD.width + GAP.across, down: CARD.height + GAP.stacked };
  const perRow = Math.max(MOST_ABREAST, Math.floor((led.width + GAP.across) / step.across));
  const top = led.height === 0 ? 0 : led.height + GAP.down;
  const cards = lone.map((node, i) => ({
    ...{ node, x: (i % perRow) * step.across, y: top + Math.floor(i / perRow) * step.down },
  }));
  return {
    cards: [...led.cards, ...cards],
    lines: led.lines,
    width: Math.max(led.width, ...cards.map(({ x }) => x + CARD.width)),
    height: Math.max(led.height, ...cards.map(({ y }) => y + CARD.height)),
  };
}

function blockOf(node: OrgNode): Block {
  const { reports } = node;
  const alone = { cards: [{ node, x: 0, y: 0 }], lines: [], ...CARD };
  if (reports.length === 0) return alone;
  const isStack = reports.length > MOST_ABREAST && reports.every((report) => report.reports.length === 0);
  return isStack ? stackOf(node) : rowOf(node);
}

function rowOf(node: OrgNode): Block {
  const below = abreast(node.reports.map(blockOf), CARD.height + GAP.down);
  const tops = below.cards.filter((card) => node.reports.includes(card.node));
  const middle = ((tops[0]?.x ?? 0) + (tops.at(-1)?.x ?? 0)) / 2;
  const lines = tops.map((card) => line(node, { x: middle, y: 0 }, card));
  return { ...below, cards: [{ node, x: middle, y: 0 }, ...below.cards], lines: [...lines, ...below.lines] };
}

function stackOf(node: OrgNode): Block {
  const step = CARD.height + GAP.stacked;
  const cards = node.reports.map((report, i) => ({
    ...{ node: report, x: GAP.indent, y: CARD.height + GAP.stacked + i * step },
  }));
  const spine = GAP.indent / 2;
  const lines = cards.map((card) => ({
    ...{ from: node.agent.id, to: card.node.agent.id },
    points: [
      { x: spine, y: CARD.height },
      { x: spine, y: card.y + CARD.height / 2 },
      { x: card.x, y: card.y + CARD.height / 2 },
    ],
  }));
  return {
    ...{ cards: [{ node, x: 0, y: 0 }, ...cards], lines },
    ...{ width: CARD.width + GAP.indent, height: (node.reports.length + 1) * step - GAP.stacked },
  };
}

function line(node: OrgNode, top: Point, card: PlacedCard): PlacedLine {
  const [from, to] = [top.x + CARD.width / 2, card.x + CARD.width / 2];
  const turn = top.y + CARD.height + GAP.down / 2;
  return {
    ...{ from: node.agent.id, to: card.node.agent.id },
    points: [
      { x: from, y: top.y + CARD.height },
      { x: from, y: turn },
      { x: to, y: turn },
      { x: to, y: card.y },
    ],
  };
}

function abreast(blocks: readonly Block[], top: number): Block {
  let left = 0;
  const placed = blocks.map((block) => {
    const x = left;
    left += block.width + GAP.across;
    return moved(block, x, top);
  });
  return {
    cards: placed.flatMap(({ cards }) => cards),
    lines: placed.flatMap(({ lines }) => lines),
    width: Math.max(0, left - GAP.across),
    height: top + Math.max(0, ...blocks.map(({ height }) => height)),
  };
}

function moved(block: Block, x: number, y: number): Block {
  const by = <P extends Point>(point: P): P => ({ ...point, x: point.x + x, y: point.y + y });
  return {
    ...block,
    cards: block.cards.map(by),
    lines: block.lines.map((one) => ({ ...one, points: one.points.map(by) })),
  };
}
