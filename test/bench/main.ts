import { approvalBench } from './approval.bench.ts';
import { type BenchRow, coreBench } from './core.bench.ts';
import { engineBench } from './engine.bench.ts';
import { harnessBench } from './harness.bench.ts';
import { liveBench } from './live.bench.ts';
import { loadBench } from './load.bench.ts';
import { policyBench } from './policy.bench.ts';
import { startBench } from './start.bench.ts';
import { tokensBench } from './tokens.bench.ts';

const suites: Record<string, () => Promise<BenchRow[]>> = {
  core: coreBench,
  engine: engineBench,
  approval: approvalBench,
  harness: harnessBench,
  live: liveBench,
  load: loadBench,
  policy: policyBench,
  start: startBench,
  tokens: tokensBench,
};

/** `bun test/bench/main.ts [suite…] [--json]`: prints each ratio with its spread; ends with 1 when one misses its floor. */
const words = process.argv.slice(2);
const json = words.includes('--json');
const chosen = words.filter((word) => word !== '--json');
const rows: BenchRow[] = [];
for (const [name, suite] of Object.entries(suites)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  for (const row of await suite()) {
    rows.push(row);
    if (!json) console.log(lineOf(row));
  }
}
if (json) console.log(JSON.stringify({ bun: Bun.version, rows }, null, 2));
process.exit(rows.some(missesFloor) ? 1 : 0);

function missesFloor({ floor, ratio }: BenchRow): boolean {
  return floor !== null && ratio < floor;
}

function lineOf(row: BenchRow): string {
  const { name, ratio, p10, p90, floor, unit, detail } = row;
  const promised = floor === null ? '' : `  floor ${floor}${missesFloor(row) ? '  MISSED' : ''}`;
  return `${name}: ${ratio.toFixed(2)} [${p10.toFixed(2)}–${p90.toFixed(2)}] ${unit}${promised}${detail ? `  (${detail})` : ''}`;
}
