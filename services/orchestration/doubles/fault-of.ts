import { Fault } from '../../kit/fault.ts';

/** The fault that a call is refused with; any other end of it is an error of the test. */
export async function faultOf(call: Promise<unknown>): Promise<Fault> {
  const error: unknown = await call.then(
    () => new Error('expected a fault'),
    (reason: unknown) => reason,
  );
  if (error instanceof Fault) return error;
  throw error;
}
