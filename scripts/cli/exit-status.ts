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

With --json a command prints one JSON document on stdout (with --follow, and with --stdin always, one a line); progress
(one {"event": …} a line) and, when it fails, one problem document (RFC 9457) go to stderr.

Environment:
  ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, CONTROL_CENTER_MODEL
                          the model of a server that starts; more models: models.json in the data directory
  CONTROL_CENTER_DATA     data directory (default: ~/.local/share/control-center)
  CONTROL_CENTER_PORT     port of this machine's server (default: 4400)
  CONTROL_CENTER_URL      the server to use, on this machine or another
  CONTROL_CENTER_TOKEN    the token to use (default: the owner-token file of the data directory)
  EDITOR, NO_COLOR`;
