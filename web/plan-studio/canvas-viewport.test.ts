import { expect, test } from 'bun:test';
import { viewAround, viewOf, viewResized, viewWith } from './canvas-viewport.ts';
import type { Layout } from './layout/layout.ts';

const BOX = { width: 1000, height: 700 };
const layout = (width: number, height: number): Layout => ({
  ...{ flow: 'LR', x: -50, y: 20, width, height },
  positions: new Map(),
  bends: new Map(),
  layerOf: new Map(),
  centres: new Map(),
});

test('a plan that has room is centred and never enlarged', () => {
  const view = viewOf(layout(400, 300), BOX, { x: 0, y: 0 }, 0.4);
  expect(view.zoom).toBe(1);
  expect(view.x + -50).toBe((BOX.width - 400) / 2);
});

test('a plan that is too large keeps to the least zoom and begins at its beginning', () => {
  const view = viewOf(layout(20_000, 4_000), BOX, { x: -50, y: 20 }, 0.4);
  expect(view.zoom).toBe(0.4);
  expect(view.x + -50 * 0.4).toBe(32);
  expect(view.y + 20 * 0.4).toBe(24);
});

test('a view around a node at the rim gives no room away beside the plan', () => {
  const plan = layout(4_000, 2_000);
  expect(viewAround({ zoom: 1 }, { x: 0, y: 40 }, plan, BOX)).toEqual({ x: 82, y: 4, zoom: 1 });
  expect(viewAround({ zoom: 0.1 }, { x: 1_950, y: 1_020 }, plan, BOX).zoom).toBe(0.75);
});

test('what was in the middle is there in another size as well', () => {
  const view = viewResized({ x: -300, y: 40, zoom: 0.5 }, BOX, { width: 300, height: 200 });
  // The point of the plan in the middle of the larger box.
  const [x, y] = [(500 + 300) / 0.5, (350 - 40) / 0.5];
  expect([x * 0.5 + view.x, y * 0.5 + view.y]).toEqual([150, 100]);
});

test('a node in view moves nothing; one out of it moves the view no further than it has to', () => {
  const view = { x: 0, y: 0, zoom: 1 };
  expect(viewWith(view, { x: 100, y: 100, width: 200, height: 80 }, BOX)).toBeNull();
  expect(viewWith(view, { x: 950, y: 100, width: 200, height: 80 }, BOX)).toEqual({ x: -182, y: 0, zoom: 1 });
  expect(viewWith(view, { x: -100, y: 100, width: 200, height: 80 }, BOX)).toEqual({ x: 132, y: 0, zoom: 1 });
});
