import * as z from 'zod';
import { Fault } from '../kit/fault.ts';
import { invalidRequest } from '../kit/validate.ts';

/** A longer frame of a client ends its connection. */
export const MOST_CLIENT_FRAME_BYTES = 64 << 10;
const MOST_PATH_CHARS = 2_000;

/** Chosen by the client; what comes of a stream carries its number. */
const StreamNumber = z.int('must be a whole number').min(0);

const ClientFrame = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.literal('open'),
    id: StreamNumber,
    path: z.string().max(MOST_PATH_CHARS),
    /** The `eventId` of the last message seen, to go on after it. */
    lastEventId: z
      .string()
      .regex(/^\d{1,16}$/, 'must be a sequence number')
      .optional(),
  }),
  z.strictObject({ op: z.literal('close'), id: StreamNumber }),
  z.strictObject({ op: z.literal('pong') }),
]);
export type LiveClientFrame = z.infer<typeof ClientFrame>;

/** Why a stream was refused, as the HTTP API says it. */
export interface LiveProblem {
  code: string;
  title: string;
  detail: string;
  status: number;
  retryable: boolean;
}

/**
 * What a client is sent. After `end` and `problem` nothing more comes under that number, and it may be used again; a
 * problem of no stream (a frame that cannot be read) has none.
 */
export type LiveServerFrame =
  | { id: number; event: string; data: unknown; eventId?: string }
  | { id: number; end: true }
  | { id: number | null; problem: LiveProblem }
  | { op: 'ping' };

/** @throws Fault invalid_request */
export function readClientFrame(message: string | Uint8Array): LiveClientFrame {
  if (typeof message !== 'string') throw new Fault('invalid_request', 'A frame is JSON text, not binary.');
  const parsed = ClientFrame.safeParse(parseJson(message));
  if (parsed.success) return parsed.data;
  throw invalidRequest('frame', parsed.error.issues);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Fault('invalid_request', 'The frame is not JSON.', {}, { cause: error });
  }
}

export function problemOf({ code, message, status, retryable }: Fault): LiveProblem {
  return { code, title: code.replaceAll('_', ' '), detail: message, status, retryable };
}
