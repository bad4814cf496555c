import type { CDPSession, Page } from 'playwright-core';

export interface Fared {
  /** Time between frames, 95th percentile. */
  frameP95: number;
  /** What the page's own thread computed for each frame, on average, and its scripts in all. */
  busyMs: number;
  scriptMs: number;
}

/** A frame may be missed now and then, and no more. */
const FRAME_P95_MS = 34;
const FRAME_MS = 17;

/** How a page fares while something goes on. */
export async function faring(page: Page, act: () => Promise<void>): Promise<Fared> {
  const session = await page.context().newCDPSession(page);
  // Time of the processor, so that what others do on the machine is not counted.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await spent(session);
  await page.evaluate(() => {
    const state = { times: [] as number[], isOver: false };
    Object.assign(globalThis, { frames: state });
    let last = performance.now();
    const tick = (now: number) => {
      state.times.push(now - last);
      last = now;
      if (!state.isOver) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await act();
  const times = await page.evaluate(() => {
    const state = (globalThis as unknown as { frames: { times: number[]; isOver: boolean } }).frames;
    state.isOver = true;
    return state.times.slice(1).sort((a, b) => a - b);
  });
  const after = await spent(session);
  await session.detach();
  return {
    frameP95: times[Math.floor(times.length * 0.95)] ?? 0,
    busyMs: ((after.TaskDuration ?? 0) - (before.TaskDuration ?? 0)) / times.length,
    scriptMs: (after.ScriptDuration ?? 0) - (before.ScriptDuration ?? 0),
  };
}

/** Frames come in time; or they come late although the page computes little for each: then others have the machine. */
export function isSmooth({ frameP95, busyMs }: Fared): boolean {
  return frameP95 <= FRAME_P95_MS || busyMs <= FRAME_MS;
}

export function inWords({ frameP95, busyMs, scriptMs }: Fared): string {
  const [p95, busy] = [frameP95.toFixed(1), busyMs.toFixed(1)];
  return `frame p95 ${p95} ms, ${busy} ms computed a frame, scripts ${scriptMs.toFixed(0)} ms in all`;
}

/** In ms. */
async function spent(session: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1_000]));
}
