import { ownerToken, startServerProcess } from '../e2e/server-process.ts';
import { createStage } from '../e2e/stage.ts';
import type { BenchRow } from './core.bench.ts';
import { limitRow } from './limit.ts';
import { residentMegabytes } from './load/process-facts.ts';

const STARTS = 9;
const IDLE_MS = 2_000;

/** From the start of the process to its first answered request, and its memory when idle. */
export async function startBench(): Promise<BenchRow[]> {
  const stage = createStage();
  const times: number[] = [];
  const memory: number[] = [];
  try {
    for (let i = 0; i < STARTS; i++) {
      const startedAt = performance.now();
      const server = await startServerProcess(stage.env);
      const answer = await fetch(new URL('/api/me', server.url), {
        headers: { authorization: `Bearer ${ownerToken(stage.dataDir)}` },
      });
      times.push(performance.now() - startedAt);
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
      if (i === STARTS - 1) {
        await Bun.sleep(IDLE_MS);
        memory.push(residentMegabytes(server.pid));
      }
      server.kill();
      await server.exited;
    }
  } finally {
    await stage.remove();
  }
  return [
    limitRow('start to first answered request', times, 400, 'ms'),
    limitRow('memory when idle', memory, 150, 'MB'),
  ];
}
