import { CommanderError } from 'commander';
import { Fault, type FaultCode } from '../../services/kit/fault.ts';
import { EXIT, type ExitStatus } from './exit-status.ts';

/** An end of a command that is no fault of the server: wrong usage, nobody to ask, no server, interrupted. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    readonly exitStatus: ExitStatus,
    readonly code: string,
    message: string,
    readonly detail: Record<string, unknown> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function usageError(message: string): CommandError {
  return new CommandError(EXIT.usage, 'usage', message);
}

export interface ErrorReport {
  exitStatus: ExitStatus;
  /** RFC 9457, as the server's own; `status` is absent where no HTTP answer was involved. */
  problem: {
    type: string;
    title: string;
    status?: number;
    code: string;
    detail: string;
    retryable: boolean;
    errors: Record<string, unknown>;
  };
}

const FAULT_EXITS: Partial<Record<FaultCode, ExitStatus>> = {
  people_only: EXIT.needsPerson,
  forbidden: EXIT.needsPerson,
  unauthenticated: EXIT.needsPerson,
  invalid_configuration: EXIT.usage,
};

/** Any thrown value as an exit status and a problem document. */
export function reportOf(error: unknown): ErrorReport {
  if (error instanceof Fault) {
    const { code, message, detail, status, retryable } = error;
    return {
      exitStatus: FAULT_EXITS[code] ?? EXIT.failed,
      problem: { ...problem(code, message, detail, retryable), status },
    };
  }
  if (error instanceof CommandError) {
    const retryable = error.exitStatus === EXIT.unreachable;
    return {
      exitStatus: error.exitStatus,
      problem: problem(error.code, error.message, error.detail, retryable),
    };
  }
  if (error instanceof CommanderError) {
    return { exitStatus: EXIT.usage, problem: problem('usage', usageText(error.message), {}, false) };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { exitStatus: EXIT.failed, problem: problem('internal', message, {}, false) };
}

function problem(code: string, detail: string, errors: Record<string, unknown>, retryable: boolean) {
  const type = `urn:control-center:problem:${code}`;
  return { type, title: code.replaceAll('_', ' '), code, detail, retryable, errors };
}

function usageText(message: string): string {
  return message.replace(/^error: /, '').trim();
}
