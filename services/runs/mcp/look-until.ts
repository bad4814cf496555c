import type { Wakes } from '../../kit/wakes.ts';

/** What another process committed is found by looking this often. */
const POLL_MS = 1_000;
/** A busy workspace commits far more often than it is worth looking. */
const REST_MS = 50;

/**
 * Looks at once, and again after the workspace's commits, until `isSo`. False when the signal aborts first.
 * @throws what `isSo` throws
 */
export async function lookUntil(
  wakes: Wakes,
  workspaceId: string,
  isSo: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    const woken = wakes.wait(workspaceId, POLL_MS, signal);
    if (await isSo()) return true;
    await woken;
    await wakes.wait(`rest:${workspaceId}`, REST_MS, signal);
  }
  return false;
}
