import type { SandboxFacts } from '../../runner/runner.ts';
import type { AdapterFacts, Fact } from './facts.ts';

/** The built-in loop. */
export const HARNESS: AdapterFacts = {
  available: true,
  reason: null,
  facts: ({ sandbox }) => ({
    surfaceFiltered: {
      holds: 'yes',
      how: 'The request that the model gets holds the tools of the mode and no other. A call of another one by name is answered with an error.',
    },
    callsIntercepted: {
      holds: 'yes',
      how: "Each call is judged by the run's mode, the space's mode, its autonomy and the rules before it begins; one that waits for a person has not begun. A command is judged by its text: a script or build target in the worktree counts as the launch of a process, whatever it then does.",
    },
    ownToolsSeen: { holds: 'yes', how: 'It has no tools but those of Control Center.' },
    contractObserved: {
      holds: 'yes',
      how: "The loop sees whether the mode's exit verb succeeded, reminds the model once, and records a run without it as empty.",
    },
    processSandboxed: commandsSandboxed(sandbox),
    worktreeReadOnly: mountedReadOnly(sandbox),
  }),
};

function commandsSandboxed({ backend, reason }: SandboxFacts): Fact {
  if (backend === null) {
    const how = `Commands run with a clean environment and as the server's own user, and nothing else holds them: ${reason ?? 'no sandbox was found'}.`;
    return { holds: 'no', how };
  }
  return {
    holds: 'partly',
    how: `Commands run in ${backend} and see of the host's files only what they need, but they use the host's network unfiltered. The tools that read and change files run in the server, which keeps them inside the worktree.`,
  };
}

function mountedReadOnly({ backend, reason }: SandboxFacts): Fact {
  const surface = 'No tool that changes the worktree is on the surface of a read-only mode';
  return backend === null
    ? { holds: 'no', how: `${surface}; below that nothing holds it: ${reason ?? 'no sandbox was found'}.` }
    : { holds: 'yes', how: `${surface}, and ${backend} would mount it read-only for a command.` };
}
