import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  CoreError,
  capabilityProfile,
  combineVerdict,
  estimate,
  loadGraph,
  materialize,
  orderGraph,
  toolSurface,
} from './core.ts';
import { base64 } from './core-wasm.gen.ts';
import { coreMemoryBytes, holdsArena, type Kernels, succeed, takeArena, withKernels } from './instance.ts';
import { Generator } from './reference/generate.ts';

const PAGE = 65_536;

function failure(run: () => unknown): CoreError {
  try {
    run();
  } catch (error) {
    if (error instanceof CoreError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** Reads a column outside the memory, which traps. */
const trap = (): unknown => withKernels((kernels) => kernels.path(1, 0, 0x7fff_fff0, 0, 0x7fff_fff0, 0, 0));

test('the module imports nothing', () => {
  const compiled = new WebAssembly.Module(Buffer.from(base64, 'base64'));
  expect(WebAssembly.Module.imports(compiled)).toEqual([]);
});

test('is at most 8 kB of gzip', () => {
  expect(Bun.gzipSync(Buffer.from(base64, 'base64')).byteLength).toBeLessThanOrEqual(8192);
});

test('a trap is typed and the next call works on a new instance', () => {
  const graph = loadGraph([{ key: 'a', role: 'r', needs: [] }]).setHistories({
    r: { costMicros: [4], durationMs: [2] },
  });
  const before = graph.estimate();
  const error = failure(trap);
  expect(error.code).toBe('TRAP');
  expect(error.cause).toBeInstanceOf(WebAssembly.RuntimeError);
  expect(graph.estimate()).toEqual(before);
  expect(combineVerdict('hold', [])).toBe('hold');
});

test('a thousand traps do not wear the core out', () => {
  for (let i = 0; i < 1000; i++) expect(failure(trap).code).toBe('TRAP');
  expect(combineVerdict('ship', [])).toBe('ship');
});

test('a size that does not fit is a typed error, also where 32 bits would wrap', () => {
  for (const bytes of [
    2 ** 27,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    2 ** 33,
    2 ** 60,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])
    expect(failure(() => withKernels((kernels) => takeArena(kernels, bytes, null))).code).toBe(
      'OUT_OF_MEMORY',
    );
  expect(combineVerdict('ship', [])).toBe('ship');
});

test('columns stay with their owner until another call takes the arena', () => {
  const owner = {};
  withKernels((kernels) => takeArena(kernels, 64, owner));
  combineVerdict('ship', []);
  expect(holdsArena(owner)).toBe(true);
  orderGraph([{ key: 'a', needs: [] }]);
  expect(holdsArena(owner)).toBe(false);
  withKernels((kernels) => takeArena(kernels, 64, owner));
  failure(() => withKernels((kernels) => takeArena(kernels, 2 ** 40, {})));
  expect(holdsArena(owner)).toBe(false);
});

test('an instance that grew above 16 MiB is dropped, and a graph that lay in it still answers', () => {
  const nodes = Array.from({ length: 500_000 }, (_, i) => ({
    key: `k${i}`,
    role: 'r',
    needs: i === 0 ? [] : [`k${i - 1}`],
  }));
  const graph = loadGraph(nodes).setHistories({ r: { costMicros: [3], durationMs: [1] } });
  const { costMicros, durationMs } = graph.totals();
  expect([costMicros?.p25, durationMs?.p75]).toEqual([1_500_000, 500_000]);
  expect(coreMemoryBytes()).toBe(0);
  expect(graph.setRole('k0', null).totals()).toMatchObject({ durationMs: { p25: 499_999 }, unknownNodes: 1 });
});

test('10,000 calls of every kind leave the memory as it is', () => {
  const { proposal, roles, histories } = new Generator(5).plan(40);
  const nodes = proposal.tickets.map(({ key, role, needs }) => ({ key, role, needs }));
  const circle = [
    { key: 'a', needs: ['b'] },
    { key: 'b', needs: ['a'] },
  ];
  const tools = [{ name: 'x', tier: 'read', effects: [] }] as const;
  const round = (): void => {
    estimate(nodes, histories, { draws: 20 });
    materialize(proposal, roles);
    orderGraph(circle);
    toolSurface(capabilityProfile('plan'), tools);
  };
  round();
  const before = coreMemoryBytes();
  for (let i = 0; i < 2500; i++) round();
  expect(coreMemoryBytes()).toBe(before);
  expect(before).toBeLessThanOrEqual(4 * PAGE);
});

test('a million calls of a quick kernel leave the memory as it is', () => {
  const graph = loadGraph([{ key: 'a', role: 'r', needs: [] }]).setHistories({
    r: { costMicros: [1], durationMs: [1] },
  });
  graph.totals();
  const before = coreMemoryBytes();
  for (let i = 0; i < 500_000; i++) {
    graph.totals();
    withKernels((kernels) => succeed(kernels, kernels.verdict(0, i & 1, 0)));
  }
  expect(coreMemoryBytes()).toBe(before);
});

const small = fc.integer({ min: -3, max: 12 });
const wild = fc.oneof(small, fc.integer());
const column = fc.array(wild, { minLength: 16, maxLength: 16 });
const sample = fc.oneof(fc.nat({ max: 9 }).map(Number), fc.double());

/** Writes columns of garbage, 1 KiB apart with free ones behind, and returns the address of a column by its number. */
function garbage(
  kernels: Kernels,
  ints: readonly number[][],
  floats: readonly number[][],
): (i: number) => number {
  const base = takeArena(kernels, 32_768, null);
  const at = (i: number): number => base + i * 1024;
  ints.forEach((values, i) => {
    new Int32Array(kernels.memory.buffer, at(i), values.length).set(values);
  });
  floats.forEach((values, i) => {
    new Float64Array(kernels.memory.buffer, at(ints.length + i), values.length).set(values);
  });
  return at;
}

function callAll(kernels: Kernels, at: (i: number) => number, n: number, e: number, roles: number): number[] {
  const graph = [at(0), at(1)];
  const samples = [at(3), e, at(4), at(3), e, at(5)];
  const free = [at(10), at(11), at(12), at(13), at(14)];
  return [
    kernels.plan(n, e, ...graph, ...free),
    kernels.backEdges(n, e, ...graph, ...free),
    kernels.quartiles(roles, ...samples, ...free),
    kernels.estimate(n, e, roles, at(2), ...graph, at(6), ...free),
    kernels.surface(n, at(0), at(1), at(2), roles, e, 1, at(10)),
    kernels.verdict(n, e, roles),
    kernels.simulate(n, e, roles, at(2), ...graph, roles & 1, at(7), ...samples, 3, 1, ...free),
    kernels.path(n, e, ...graph, at(8), roles, at(10)),
  ];
}

const rows = { minLength: 5, maxLength: 5 };
const floatColumns = fc.array(fc.array(sample, { minLength: 16, maxLength: 16 }), rows);

test('columns of garbage give a status, never a trap', () => {
  const intColumns = fc.array(column, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.integer({ min: -1, max: 12 }),
      small,
      small,
      intColumns,
      floatColumns,
      (n, e, roles, ints, floats) => {
        withKernels((kernels) => callAll(kernels, garbage(kernels, ints, floats), n, e, roles));
      },
    ),
    { numRuns: 5000 },
  );
});

test('columns that are nearly sound reach every status, never a trap', () => {
  const seen = new Set<number>();
  const off = Array.from({ length: 16 }, (_, i) => i);
  const near = fc.array(fc.integer({ min: -1, max: 6 }), { minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6 }), near, near, floatColumns, (n, need, role, floats) => {
      const ints = [off, need, role, off];
      const statuses = withKernels((kernels) => callAll(kernels, garbage(kernels, ints, floats), n, n, n));
      for (const status of statuses) seen.add(Math.min(status, 0));
    }),
    { numRuns: 5000 },
  );
  expect([...seen].sort((a, b) => b - a)).toEqual([0, -1, -2, -3, -6]);
});
