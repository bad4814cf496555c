import { runProcess } from './child.ts';
import type { SandboxFacts } from './runner.ts';
import { isolationArguments } from './sandbox.ts';

export interface ProbedSandbox extends SandboxFacts {
  disableUserNamespaces: boolean;
}

/** Tries to write where it must not, to gain a mount, and answers a word only when all of it failed. */
const TRIAL =
  'touch /usr/.control-center-probe 2>/dev/null && exit 9; test -e /root/. && exit 8; echo enclosed';

/**
 * Runs bubblewrap once with the real arguments. `backend` is null, with the reason, where it is missing or does not
 * enclose; then commands run with a clean environment alone.
 */
export async function probeSandbox(env: Record<string, string>): Promise<ProbedSandbox> {
  if (process.platform !== 'linux') {
    return { ...none(`there is no sandbox for ${process.platform} here`), disableUserNamespaces: false };
  }
  let reason = '';
  for (const disableUserNamespaces of [true, false]) {
    const args = isolationArguments(env, disableUserNamespaces);
    const trial = ['--remount-ro', '/', '--', '/bin/sh', '-c', TRIAL];
    const done = await runProcess(['bwrap', ...args, ...trial], { env, timeoutMs: 10_000 }).catch(
      (error) => error,
    );
    if (done instanceof Error)
      return { ...none('bubblewrap (bwrap) is not installed'), disableUserNamespaces };
    if (String(done.stdout).trim() === 'enclosed') {
      return { backend: 'bubblewrap', reason: null, network: 'shared', disableUserNamespaces };
    }
    reason = done.stderr.trim().slice(0, 300) || `the trial run ended with ${done.code}`;
  }
  return { ...none(`bubblewrap does not work here: ${reason}`), disableUserNamespaces: false };
}

export function none(reason: string): SandboxFacts {
  return { backend: null, reason, network: 'shared' };
}
