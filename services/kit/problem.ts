import { diskFault } from './disk-fault.ts';
import { Fault, isFaultCode } from './fault.ts';
import type { Log } from './log.ts';

/** RFC 9457 problem details with the stable `code` that clients branch on. */
interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  retryable: boolean;
  errors: Record<string, unknown>;
}

const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Translates any thrown value; what is not a Fault is logged with its cause and answered without its text. */
export function faultOf(error: unknown, log: Log): Fault {
  const known = diskFault(error);
  if (known instanceof Fault) return known;
  log.error({ err: error }, 'unexpected error');
  return new Fault('internal', 'Something went wrong inside Control Center; the server log has the cause.');
}

function problemOfFault(fault: Fault): Problem {
  return {
    type: `urn:control-center:problem:${fault.code}`,
    title: fault.code.replaceAll('_', ' '),
    status: fault.status,
    code: fault.code,
    detail: fault.message,
    retryable: fault.retryable,
    errors: fault.detail,
  };
}

export function problemResponse(error: unknown, log: Log): Response {
  const problem = problemOfFault(faultOf(error, log));
  return Response.json(problem, {
    status: problem.status,
    headers: { 'content-type': PROBLEM_MEDIA_TYPE },
  });
}

/** Rebuilds the Fault that a problem response carries, so that codes survive a hop between services. */
export async function faultOfResponse(response: Response): Promise<Fault> {
  const text = await response.text();
  const body = parseProblem(text);
  if (body) return new Fault(body.code, body.detail, body.errors);
  return new Fault('unavailable', `The peer answered ${response.status} without problem details.`, {
    status: response.status,
    body: text.slice(0, 500),
  });
}

function parseProblem(text: string) {
  try {
    const body = JSON.parse(text) as Partial<Problem>;
    if (!isFaultCode(body.code)) return null;
    return { code: body.code, detail: body.detail ?? body.code, errors: body.errors ?? {} };
  } catch {
    return null;
  }
}
