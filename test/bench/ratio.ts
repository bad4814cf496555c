/** One way of doing the same work as the others. */
export interface Contender {
  name: string;
  run: () => unknown;
}

export interface Paired {
  name: string;
  /** Median, 10th and 90th percentile of the contender's time divided by the baseline's of the same round. */
  ratio: number;
  p10: number;
  p90: number;
  /** Median time of one run. */
  micros: number;
}

export interface PairedOptions {
  rounds: number;
  /** Each contender runs at least this long a round. */
  roundMicros: number;
  /** Microseconds of some clock; CPU time of the process unless given. */
  clock?: () => number;
}

/** CPU time: wall time on a machine with other work is off by a multiple. */
function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Where results go, so that no engine may leave the work out. */
const sink: { last: unknown } = { last: null };

function timeOf(run: () => unknown, times: number, clock: () => number): number {
  const start = clock();
  for (let i = 0; i < times; i++) sink.last = run();
  return (clock() - start) / times;
}

/** Rounds' worth of runs before the first that counts: compilers work in the background and take their time. */
const WARM_UP_ROUNDS = 8;

/** Warms a contender up and says how many runs fill a round. */
function runsPerRound({ run }: Contender, roundMicros: number, clock: () => number): number {
  let runs = 0;
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    const start = clock();
    runs = 0;
    do {
      sink.last = run();
      runs++;
    } while (clock() - start < roundMicros);
    if (runs === 1) break;
  }
  return runs;
}

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

function percentile(values: readonly number[], p: number): number {
  const ascending = sorted(values);
  return ascending[Math.min(ascending.length - 1, Math.round((ascending.length - 1) * p))]!;
}

/**
 * Times contenders against a baseline, interleaved round by round, so that a slow moment of the machine hits all of a
 * round alike. Ratios above 1 mean that the contender is slower than the baseline.
 */
export function pairedRatios(
  baseline: Contender,
  contenders: readonly Contender[],
  { rounds, roundMicros, clock = cpuMicros }: PairedOptions,
): Paired[] {
  const all = [baseline, ...contenders];
  const runs = all.map((contender) => runsPerRound(contender, roundMicros, clock));
  const times = all.map((): number[] => []);
  for (let round = 0; round < rounds; round++)
    all.forEach(({ run }, i) => {
      times[i]!.push(timeOf(run, runs[i]!, clock));
    });
  return contenders.map(({ name }, i) => {
    const ratios = times[i + 1]!.map((time, round) => time / times[0]![round]!);
    const [ratio, p10, p90] = [percentile(ratios, 0.5), percentile(ratios, 0.1), percentile(ratios, 0.9)];
    return { name, ratio, p10, p90, micros: percentile(times[i + 1]!, 0.5) };
  });
}

/** Throws unless every contender gives what the baseline gives: only equal work may be compared. */
export function demandEqual(
  baseline: Contender,
  contenders: readonly Contender[],
  equal: (a: unknown, b: unknown) => boolean,
): void {
  const wanted = baseline.run();
  for (const { name, run } of contenders)
    if (!equal(run(), wanted)) throw new Error(`${name} gives another result than ${baseline.name}`);
}
