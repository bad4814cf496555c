import type { Page } from 'playwright-core';

/** How the page fares while something goes on: the 95th percentile between frames, and the time that scripts took, in ms. */
export async function faring(
  page: Page,
  act: () => Promise<void>,
): Promise<{ frameP95: number; scriptMs: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const scriptSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0;
  };
  const before = await scriptSeconds();
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
  const frameP95 = await page.evaluate(() => {
    const state = (globalThis as unknown as { frames: { times: number[]; isOver: boolean } }).frames;
    state.isOver = true;
    const sorted = state.times.slice(1).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  });
  return { frameP95, scriptMs: ((await scriptSeconds()) - before) * 1_000 };
}
