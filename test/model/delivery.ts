import type { AnswerBlock, AnswerMessage } from './answer-message.ts';
import type { ScriptedFault } from './script.ts';
import type { StreamEvent } from './stream-events.ts';
import { streamEvents } from './stream-events.ts';

/** What goes back over the wire. `cut` resets the connection after what is given was sent. */
export type Delivery =
  | { kind: 'error'; status: number; errorType: string; message: string; headers: Record<string, string> }
  | { kind: 'json'; body: unknown; cut: boolean }
  | { kind: 'stream'; events: StreamEvent[]; cut: boolean; headers?: Record<string, string> }
  | { kind: 'rubbish' };

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};
const OVERLOADED = 'Overloaded';

function errorTypeOf(status: number): string {
  return ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}

/** A refusal with the error type the API gives that status. */
export function errorDelivery(status: number, message: string): Delivery {
  return { kind: 'error', status, errorType: errorTypeOf(status), message, headers: {} };
}

function statusDelivery(fault: Extract<ScriptedFault, { kind: 'status' }>): Delivery {
  const { status, retryAfterSeconds: seconds } = fault;
  const retry = seconds === undefined ? {} : { 'retry-after': String(seconds) };
  return {
    kind: 'error',
    status,
    errorType: fault.errorType ?? errorTypeOf(status),
    message: fault.message ?? (status === 529 ? OVERLOADED : `Scripted failure ${status}`),
    headers: { ...retry, ...fault.headers },
  };
}

/** The events before a failure: as many as the script says, half of them by default, never all. */
function eventsBefore(events: StreamEvent[], afterEvents: number | undefined): StreamEvent[] {
  const wanted = afterEvents ?? Math.floor(events.length / 2);
  return events.slice(0, Math.min(wanted, events.length - 1));
}

function isFragment(delta: unknown): delta is { type: string; partial_json: string } {
  return typeof delta === 'object' && delta !== null && 'partial_json' in delta && delta.partial_json !== '';
}

/** Takes the last character off the last call's arguments, which no JSON object survives. */
function breakLastCall(events: StreamEvent[]): StreamEvent[] {
  const last = events.findLast((event) => isFragment(event.delta));
  return events.map((event) =>
    event === last && isFragment(event.delta)
      ? { ...event, delta: { ...event.delta, partial_json: event.delta.partial_json.slice(0, -1) } }
      : event,
  );
}

function streamDelivery(events: StreamEvent[], fault: ScriptedFault | null): Delivery {
  if (fault?.kind === 'overloaded_in_stream') {
    const { errorType: type = 'overloaded_error', message = OVERLOADED, headers = {} } = fault;
    const error = { type: 'error', error: { type, message } };
    const before = eventsBefore(events, fault.afterEvents);
    return { kind: 'stream', events: [...before, error], cut: false, headers };
  }
  if (fault?.kind === 'cut')
    return { kind: 'stream', events: eventsBefore(events, fault.afterEvents), cut: true };
  const isBroken = fault?.kind === 'broken_tool_json';
  return { kind: 'stream', events: isBroken ? breakLastCall(events) : events, cut: false };
}

function withoutLastInput(message: AnswerMessage): AnswerMessage {
  const last = message.content.findLast((block) => block.type === 'tool_use');
  const emptied = (block: AnswerBlock) => (block === last ? { ...last, input: {} } : block);
  return { ...message, content: message.content.map(emptied) };
}

function jsonDelivery(message: AnswerMessage, fault: ScriptedFault | null): Delivery {
  if (fault?.kind === 'overloaded_in_stream')
    return statusDelivery({ ...fault, kind: 'status', status: 529 });
  const isBroken = fault?.kind === 'broken_tool_json';
  return { kind: 'json', body: isBroken ? withoutLastInput(message) : message, cut: fault?.kind === 'cut' };
}

/** How a message is delivered: streamed or whole, and failing as the fault says. */
export function deliveryOf(
  message: AnswerMessage,
  fault: ScriptedFault | null,
  options: { isStreamed: boolean; chunkChars: number | undefined },
): Delivery {
  if (fault?.kind === 'status') return statusDelivery(fault);
  if (fault?.kind === 'rubbish') return { kind: 'rubbish' };
  if (!options.isStreamed) return jsonDelivery(message, fault);
  return streamDelivery(streamEvents(message, options.chunkChars), fault);
}
