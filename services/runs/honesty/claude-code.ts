import type { SandboxFacts } from '../../runner/runner.ts';
import type { AdapterFacts, Fact } from './facts.ts';

/** The Claude Code CLI, as its versions 2.1.332 and 2.1.197 were measured on Linux. */
export const CLAUDE_CODE: AdapterFacts = {
  available: false,
  reason: 'This version of Control Center does not run agents on the Claude Code CLI yet.',
  facts: ({ sandbox }) => ({
    surfaceFiltered: {
      holds: 'partly',
      how: "Control Center's own tools can be left out of what its MCP server offers, and `--tools` shortens the list of the CLI's own. In plan mode the CLI still shows the model its Write and Bash and refuses their calls.",
    },
    callsIntercepted: {
      holds: 'partly',
      how: 'A PreToolUse hook is asked about each shell command and each call of an MCP tool, those of its sub-agents included; reads, writes and edits of the CLI are not asked about. It fails closed only from 2.1.295 on, as an HTTP hook with `onFailure: "block"`; an empty answer of the hook lets the call run even then. Settings in the repository switch the hook off unless `--setting-sources ""` is passed.',
    },
    ownToolsSeen: {
      holds: 'no',
      how: 'Its Read, Write and Edit run unseen; only the commands of its Bash pass the hook.',
    },
    contractObserved: {
      holds: 'no',
      how: "The CLI ends a run when its model does; whether the mode's exit verb succeeded is not looked at before that.",
    },
    processSandboxed: wrapped(sandbox),
    worktreeReadOnly: mounted(sandbox),
  }),
};

function wrapped({ backend, reason }: SandboxFacts): Fact {
  if (backend === null) {
    const how = `The CLI would run as the server's own user: ${reason ?? 'no sandbox was found'}. A command that it started outlives it when it is killed.`;
    return { holds: 'no', how };
  }
  return {
    holds: 'partly',
    how: `The CLI runs inside ${backend}, and its commands die with it there. It uses the host's network unfiltered.`,
  };
}

function mounted({ backend, reason }: SandboxFacts): Fact {
  const alone =
    'Its plan mode is no sandbox: with Bash among the allowed tools, version 2.1.197 ran a command that wrote';
  return backend === null
    ? {
        holds: 'no',
        how: `${alone}, and there is no mount that stops it: ${reason ?? 'no sandbox was found'}.`,
      }
    : { holds: 'yes', how: `${alone}. A read-only mount by ${backend} stops its Bash and its Write alike.` };
}
