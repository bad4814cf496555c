import { expect, test } from 'bun:test';
import { mountedPart, overlaps, planPoint, seenOf, zoomedAt } from './canvas-camera.ts';

const VIEW = { x: 120, y: -40, zoom: 0.5, width: 1000, height: 700 };

test('a zoom keeps the point under the pointer, within its limits', () => {
  const at = { x: 333, y: 77 };
  for (const wanted of [0.001, 0.4, 1.1, 9]) {
    const next = zoomedAt(VIEW, at, wanted);
    const [here, there] = [planPoint(VIEW, at), planPoint(next, at)];
    expect(there.x).toBeCloseTo(here.x, 6);
    expect(there.y).toBeCloseTo(here.y, 6);
    expect(next.zoom).toBeGreaterThanOrEqual(0.03);
    expect(next.zoom).toBeLessThanOrEqual(1.75);
  }
});

test('what is seen follows from the view', () => {
  expect(seenOf(VIEW)).toEqual({ x: -240, y: 80, width: 2000, height: 1400 });
});

test('what is mounted stays the same until the view leaves it or is much smaller', () => {
  const seen = seenOf(VIEW);
  const part = mountedPart(null, seen);
  expect(mountedPart(part, { ...seen, x: seen.x + 250 })).toBe(part);
  const moved = { ...seen, x: seen.x + 900 };
  const next = mountedPart(part, moved);
  expect(next).not.toBe(part);
  expect(overlaps(next, moved)).toBe(true);
  expect(mountedPart(part, { ...seen, width: 400, height: 280 })).not.toBe(part);
});

test('boxes that only touch do not overlap', () => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  expect(overlaps(box, { ...box, x: 10 })).toBe(false);
  expect(overlaps(box, { ...box, x: 9, y: -9 })).toBe(true);
});
