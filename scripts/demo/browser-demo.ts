import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Outcome } from '../cli/command.ts';
import { startJob } from '../cli/job/start-job.ts';
import { newSignInLink } from '../cli/sign-in-link.ts';
import { stopOnSignals } from '../cli/stop-on-signals.ts';
import { type Terminal, writeOut } from '../cli/terminal.ts';
import type { DemoOptions } from './demo.ts';
import { openDemoFolder } from './demo-folder.ts';
import { DEMO_GOAL } from './demo-proposal.ts';
import { createDemoRepository } from './demo-repository.ts';
import { startDemoServer } from './demo-server.ts';

/** The demo's goal is given; all that is a person's to decide is left to the person in the browser, until Ctrl-C. */
export async function runBrowserDemo({ keep, dir, terminal }: DemoOptions): Promise<Outcome> {
  const folder = openDemoFolder(dir);
  const stop = new AbortController();
  const release = stopOnSignals(stop);
  try {
    const repository = join(folder.path, 'invoices');
    createDemoRepository(repository);
    const { client, stop: stopServer } = await startDemoServer(join(folder.path, 'data'), stop.signal);
    try {
      const job = { workspaceName: 'demo', repository, goal: DEMO_GOAL, mode: 'orchestrate' } as const;
      await startJob(client, { ...job, key: `job/${randomUUID()}`, signal: stop.signal });
      const { url } = await newSignInLink(client, {});
      await tell(terminal, url, repository);
      await ended(stop.signal);
    } finally {
      await stopServer();
    }
    return { value: undefined, text: '' };
  } finally {
    release();
    if (!keep) folder.remove();
  }
}

async function tell(terminal: Terminal, url: string, repository: string): Promise<void> {
  const text = [
    'Demo with a SCRIPTED MODEL: its answers are prepared; the server, the runs, git and the tests are real.',
    `The team works on ${repository}. A plan waits for you:`,
    '',
    `  ${url}`,
    '',
    'The link works once, for 15 minutes. Ctrl-C ends the demo.',
  ].join('\n');
  await writeOut(process.stdout, `${terminal.json ? JSON.stringify({ url, repository }) : text}\n`);
}

function ended(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
