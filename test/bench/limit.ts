import type { BenchRow } from './core.bench.ts';

/** A measurement held against a limit: limit ÷ measured, so that 1 and above holds. */
export function limitRow(name: string, values: readonly number[], limit: number, unit: string): BenchRow {
  const ascending = values.toSorted((a, b) => a - b);
  const at = (p: number) => ascending[Math.round((ascending.length - 1) * p)]!;
  const ratio = (value: number) => limit / Math.max(value, 0.001);
  const detail = `median ${at(0.5).toFixed(1)} ${unit}, p90 ${at(0.9).toFixed(1)} ${unit}, limit ${limit} ${unit}`;
  return {
    name,
    ratio: ratio(at(0.5)),
    p10: ratio(at(0.9)),
    p90: ratio(at(0.1)),
    floor: 1,
    unit: 'limit ÷ median',
    detail,
  };
}
