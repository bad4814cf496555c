import { fileURLToPath } from 'node:url';
import { Language, Parser } from 'web-tree-sitter';
import { explainCommand } from '../../services/runs/guard/explain.ts';
import { type CommandReader, createCommandReader } from '../../services/runs/guard/shell/command-reader.ts';
import { HOSTILE } from '../../services/runs/guard/shell/lines/hostile-lines.ts';
import type { BenchRow } from './core.bench.ts';
import { limitRow } from './limit.ts';
import { pairedRatios } from './ratio.ts';

const USUAL = [
  'ls -la src',
  'git status --short',
  'git add -A && git commit -m "Fix the parser of dates"',
  'git log --oneline -n 20 -- src/dates.ts',
  'git diff --stat main...HEAD',
  'git push -u origin HEAD',
  'bun test src/dates.test.ts',
  'npm run build 2>&1 | tail -20',
  'npm ci',
  "rg -n 'parseDate\\(' src | head -40",
  "grep -rn --include='*.ts' parseDate src",
  'sed -n 1,120p src/dates.ts',
  "sed -i 's/parseDate/readDate/g' src/*.ts",
  "find . -name '*.snap' -not -path './node_modules/*' -delete",
  'for f in src/*.ts; do grep -c readDate "$f"; done',
  'cd packages/core && bun run check',
  "python3 - <<'EOF'\nimport json\nprint(json.load(open('package.json'))['version'])\nEOF",
  "cat > notes.md <<'EOF'\n# Dates\n\nRun `git push` when done.\nEOF",
  'curl -s http://127.0.0.1:3000/health | jq .status',
  'gh pr create --title "Fix dates" --body "See the tests."',
];
const DECISION_LIMIT_MICROS = 1_000;
const HOSTILE_LIMIT_MS = 50;
const TRIES = 3;
const SAMPLES = 100;

/** How long a decision over a command line takes, its reading included, and against tree-sitter's bare parse of the same lines. */
export async function policyBench(): Promise<BenchRow[]> {
  const reader = await createCommandReader();
  const parse = await bareParse();
  const [against] = pairedRatios(
    { name: 'bare parse', run: () => USUAL.forEach(parse) },
    [{ name: 'decide', run: () => USUAL.map((line) => decide(reader, line)) }],
    { rounds: 21, roundMicros: 20_000 },
  );
  const { ratio, p10, p90, micros } = against!;
  return [
    limitRow('decide over a usual command line', usualMicros(reader), DECISION_LIMIT_MICROS, 'µs'),
    {
      ...{ name: 'decide over usual command lines, against a bare parse', ratio, p10, p90, floor: null },
      ...{ unit: '× the parse’s CPU time', detail: `${(micros / USUAL.length).toFixed(1)} µs a line` },
    },
    limitRow(
      'decide over the worst hostile line of 10,000 characters',
      worstMillis(reader),
      HOSTILE_LIMIT_MS,
      'ms',
    ),
  ];
}

function decide(reader: CommandReader, line: string) {
  const ground = { mode: 'chat', autonomy: 'actWithApproval', rules: [], worktree: null } as const;
  return explainCommand(reader, { ...ground, line });
}

async function bareParse(): Promise<(line: string) => void> {
  await Parser.init();
  const parser = new Parser();
  const grammar = fileURLToPath(import.meta.resolve('tree-sitter-bash/tree-sitter-bash.wasm'));
  parser.setLanguage(await Language.load(grammar));
  return (line) => parser.parse(line)?.delete();
}

/** Median of each usual line. */
function usualMicros(reader: CommandReader): number[] {
  return USUAL.map((line) => {
    const times = Array.from({ length: SAMPLES }, () => millisOf(() => decide(reader, line)) * 1_000);
    return times.toSorted((a, b) => a - b)[SAMPLES >> 1]!;
  });
}

/** The longest of all kinds, each at its best; measured a few times over. */
function worstMillis(reader: CommandReader): number[] {
  const best = (line: string) =>
    Math.min(...Array.from({ length: TRIES }, () => millisOf(() => decide(reader, line))));
  return Array.from({ length: TRIES }, () => Math.max(...Object.values(HOSTILE).map(best)));
}

function millisOf(run: () => unknown): number {
  const startedAt = performance.now();
  run();
  return performance.now() - startedAt;
}

if (import.meta.main) {
  for (const { name, ratio, p10, p90, unit, detail } of await policyBench()) {
    console.log(
      `${name}: ${ratio.toFixed(2)} [${p10.toFixed(2)}–${p90.toFixed(2)}] ${unit} (${detail ?? ''})`,
    );
  }
}
