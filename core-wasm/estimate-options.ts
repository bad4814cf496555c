import { CoreError } from './errors.ts';

export interface EstimateOptions {
  /** Simulated runs of the whole plan, 0 to 100,000; 0 leaves the simulated ranges null. */
  draws?: number;
  /** 0 to 2^32 - 1. The same seed gives the same ranges. */
  seed?: number;
}

const DEFAULT_SEED = 0x5eed;
const DEFAULT_DRAWS = 1000;
const FEWEST_DRAWS = 100;
const MOST_DRAWS = 100_000;
/** Nodes times draws that an estimate without stated draws keeps to: about 10 ms. */
const DRAWN_NODES = 1_000_000;

function defaultDraws(nodes: number): number {
  return Math.max(FEWEST_DRAWS, Math.min(DEFAULT_DRAWS, Math.floor(DRAWN_NODES / Math.max(1, nodes))));
}

function whole(value: number, most: number, name: string): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new CoreError('BAD_ARGUMENT', `${name}: ${String(value)} is not a whole number from 0 to ${most}`);
}

/** Fills in the defaults. Throws BAD_ARGUMENT for what is out of range. */
export function readOptions(options: EstimateOptions, nodes: number): Required<EstimateOptions> {
  return {
    draws: whole(options.draws ?? defaultDraws(nodes), MOST_DRAWS, 'draws'),
    seed: whole(options.seed ?? DEFAULT_SEED, 0xffff_ffff, 'seed'),
  };
}
