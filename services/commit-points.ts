import { appendFileSync } from 'node:fs';

/**
 * What is called around every commit and outside effect. Unset, it costs nothing; a crash test sets `crashAt` to end the
 * process, with no chance to clean up, at the n-th pass of one point.
 */
export function createPointHook(
  crashAt: string | null,
  pointLog: string | null,
): ((name: string) => void) | undefined {
  if (!crashAt && !pointLog) return undefined;
  const [point, nth] = (crashAt ?? '').split('#');
  let passes = Number(nth ?? 1);
  return (name) => {
    if (pointLog) appendFileSync(pointLog, `${name}\n`);
    if (name === point && --passes === 0) process.kill(process.pid, 'SIGKILL');
  };
}
