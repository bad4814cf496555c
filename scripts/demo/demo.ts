import { join } from 'node:path';
import type { Outcome } from '../cli/command.ts';
import { EXIT } from '../cli/exit-status.ts';
import { createJobScreen } from '../cli/job-screen.ts';
import { type MainJobResult, runMainJob } from '../cli/main-job.ts';
import { proposalTree } from '../cli/render/proposal-tree.ts';
import { resultReport } from '../cli/render/result-report.ts';
import { stopOnSignals } from '../cli/stop-on-signals.ts';
import type { Terminal } from '../cli/terminal.ts';
import { openDemoFolder } from './demo-folder.ts';
import { DEMO_GOAL } from './demo-proposal.ts';
import { createDemoRepository, git, runRepositoryTests } from './demo-repository.ts';
import { startDemoServer } from './demo-server.ts';

export interface DemoOptions {
  /** Leaves the repository and the server's data where they are. */
  keep: boolean;
  /** An empty or new folder; null takes a temporary one. */
  dir: string | null;
  terminal: Terminal;
}

// With npx, so that it works whether or not Bun is on the machine.
const REAL_MODEL = `ANTHROPIC_API_KEY=… npx -y bun@${Bun.version} run cctl ask --repo PATH "your goal"`;

/**
 * The main job on a repository and a model of its own: tests fail, a team is proposed and approved, it works, its branch is
 * merged, tests pass. Ends with status 1 unless all of that came true. Ctrl-C ends it and leaves nothing behind.
 */
export async function runDemo({ keep, dir, terminal }: DemoOptions): Promise<Outcome> {
  const folder = openDemoFolder(dir);
  const home = folder.path;
  const repository = join(home, 'invoices');
  terminal.note(
    'Demo with a SCRIPTED MODEL: its answers are prepared; the server, the runs, git and the tests are real.',
  );
  const stop = new AbortController();
  const release = stopOnSignals(stop);
  try {
    createDemoRepository(repository);
    const before = runRepositoryTests(repository);
    terminal.note(
      `Made ${repository}; its own tests ${before.passed ? 'pass, which they should not' : 'fail, as they should'}.`,
    );
    stop.signal.throwIfAborted();
    const result = await runOnOwnServer(join(home, 'data'), repository, terminal, stop.signal);
    terminal.note('');
    const merged = result.end === 'completed' ? mergeDelivery(repository, result) : null;
    return outcomeOf({ home, keep, repository, before: before.passed, result, merged, terminal });
  } finally {
    release();
    if (!keep) folder.remove();
  }
}

async function runOnOwnServer(
  dataDir: string,
  repository: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<MainJobResult> {
  const { client, stop } = await startDemoServer(dataDir, signal);
  const screen = createJobScreen(terminal, client);
  try {
    return await runMainJob(client, {
      workspaceName: 'demo',
      repository,
      goal: DEMO_GOAL,
      signal,
      // Nothing of it asks for a person; if it ever does, it must not stand still for ever.
      personWaitMs: 20_000,
      onProgress: screen.onProgress,
      decide: async (view) => {
        terminal.note(
          `\n${proposalTree(view, terminal.notePaint, terminal.columns)}\n\nThe demo approves in your place.`,
        );
        return 'approve';
      },
    });
  } finally {
    screen.close();
    await stop();
  }
}

interface Merged {
  diff: string;
  passed: boolean;
  output: string;
}

/** What a person does with the branch in the end: looks at it, merges it, runs the tests. */
function mergeDelivery(repository: string, result: MainJobResult): Merged | null {
  const branch = result.orchestration?.branch;
  if (!branch) return null;
  const diff = git(repository, 'diff', `HEAD...${branch}`);
  git(repository, 'merge', '-q', '--ff-only', branch);
  const { passed, output } = runRepositoryTests(repository);
  return { diff, passed, output };
}

interface DemoEnd {
  home: string;
  keep: boolean;
  repository: string;
  before: boolean;
  result: MainJobResult;
  merged: Merged | null;
  terminal: Terminal;
}

function outcomeOf({ home, keep, repository, before, result, merged, terminal }: DemoEnd): Outcome {
  const ok = !before && result.end === 'completed' && merged?.passed === true;
  const value = {
    ok,
    scriptedModel: true,
    kept: keep ? home : null,
    repository,
    end: result.end,
    testsBefore: before,
    testsAfter: merged?.passed ?? null,
    diff: merged?.diff ?? null,
    orchestration: result.orchestration,
    steps: result.steps,
    withARealModel: REAL_MODEL,
  };
  const { paint } = terminal;
  const tests = merged?.passed ? paint.green('pass') : paint.red(`fail\n${merged?.output ?? ''}`);
  const text = [
    merged ? `${paint.bold('Diff')}\n${merged.diff.trimEnd()}` : 'Nothing was delivered.',
    resultReport(result, paint, Date.now()),
    `The demo merged that branch itself. The repository's own tests, failing before, now ${tests}.`,
    'Everything above was said by a SCRIPTED MODEL, and its prices are examples.',
    keep
      ? `Kept in ${home}.`
      : 'What the demo made was removed; `run demo --keep` keeps it for you to look at.',
    `The same with a real model:\n  ${REAL_MODEL}\n(or ANTHROPIC_BASE_URL for any server that speaks the Messages API)`,
  ].join('\n\n');
  return { value, text, exitStatus: ok ? EXIT.ok : EXIT.failed };
}
