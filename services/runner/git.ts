import { Fault } from '../kit/fault.ts';
import { type FinishedProcess, type ProcessOptions, runProcess } from './child.ts';
import { gitEnvironment } from './environment.ts';

/** What every git call of the runner's says, so that no repository can make git run a program of its choice. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'diff.ignoreSubmodules=all',
  'protocol.ext.allow=never',
  'safe.directory=*',
];

export const GIT_FLAGS: readonly string[] = ['--no-pager', ...SETTINGS.flatMap((one) => ['-c', one])];

interface GitOptions extends Omit<ProcessOptions, 'env'> {
  /** Extra environment; without it git sees only the clean one. */
  env?: Record<string, string>;
}

export interface Git {
  /** Runs git and gives back whatever it answered. */
  attempt(args: readonly string[], options?: GitOptions): Promise<FinishedProcess>;
  /** Standard output without the last newline. Fault `git_failed` (or `disk_full`) when git fails. */
  text(args: readonly string[], options?: GitOptions): Promise<string>;
}

/** `nextMarker` names each process, so that those of a dead server are found. */
export function createGit(nextMarker: () => Promise<string>): Git {
  const attempt = async (args: readonly string[], options: GitOptions = {}) => {
    const env = { ...gitEnvironment(await nextMarker()), ...options.env };
    return runProcess(['git', ...GIT_FLAGS, ...args], { ...options, env });
  };
  return { attempt, text: async (args, options) => textOf(await attempt(args, options), args) };
}

export function textOf(done: FinishedProcess, args: readonly string[]): string {
  if (done.code === 0) return String(done.stdout).replace(/\n$/, '');
  throw gitFault(done, args);
}

export function gitFault(done: FinishedProcess, args: readonly string[]): Fault {
  const verb = args.find((arg) => /^[a-z]/.test(arg)) ?? 'git';
  if (/No space left on device/.test(done.stderr)) {
    return new Fault('disk_full', `git ${verb} found the disk full; make room and try again.`);
  }
  const why = done.timedOut
    ? 'took too long'
    : done.stderr.trim().slice(0, 2_000) || `ended with ${done.code}`;
  return new Fault('git_failed', `git ${verb} failed: ${why}`, { code: done.code });
}
