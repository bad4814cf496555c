/** What each exit status of `cctl` means; printed by `cctl --help`. */
export const EXIT = { ok: 0, failed: 1, usage: 2, needsPerson: 3, unreachable: 4, interrupted: 130 } as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_STATUS_HELP = `Exit statuses:
  0    done
  1    failed: the command, or the orchestration it followed, did not succeed
  2    wrong usage or configuration
  3    needs a person: a decision, or a person's token
  4    the server cannot be reached
  130  interrupted

With --json a command prints one JSON document on stdout; progress (one {"event": …} a line) and, when it fails, one
problem document (RFC 9457) go to stderr.

Environment: CONTROL_CENTER_URL, CONTROL_CENTER_TOKEN (default: the owner-token file of the data directory),
NO_COLOR, EDITOR.`;
