import { diskFault } from '../../kit/disk-fault.ts';
import { Fault, hasFaultCode } from '../../kit/fault.ts';
import type { ErrorFamily, HarnessOutcome } from '../harness/outcome.ts';

/** A person has paused the run. */
export const PAUSED: HarnessOutcome = {
  status: 'paused',
  liveness: 'waiting',
  errorFamily: null,
  summary: 'Paused by a person.',
  output: null,
  waitingFor: null,
};

export const INACTIVE: HarnessOutcome = {
  status: 'failed',
  liveness: 'stalled',
  errorFamily: 'inactivity',
  summary: 'Nothing was heard of the run for too long, so it was stopped.',
  output: null,
  waitingFor: null,
};

/** What may succeed later pauses the run, so that a person can resume it; the rest ends it. */
export function failureOutcome(thrown: unknown): HarnessOutcome {
  const error = diskFault(thrown);
  const isFault = error instanceof Fault;
  const retryable = isFault && error.retryable;
  return {
    status: retryable ? 'paused' : 'failed',
    liveness: retryable ? 'blocked' : 'failed',
    errorFamily: familyOf(error),
    summary: isFault ? error.message : 'The run failed inside Control Center; the server log has the cause.',
    output: null,
    waitingFor: null,
  };
}

function familyOf(error: unknown): ErrorFamily {
  if (!(error instanceof Fault)) return 'crashed';
  if (hasFaultCode(error, 'unavailable', 'timeout')) return 'network';
  if (hasFaultCode(error, 'disk_full', 'git_failed', 'not_a_repository', 'merge_conflict'))
    return 'toolFailure';
  return error.status < 500 ? 'invalidRequest' : 'crashed';
}
