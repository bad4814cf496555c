import type { CallBlock, Turn } from './conversation.ts';
import type { HarnessTool } from './tool-port.ts';

const REPETITIONS = 3;
/** A loop may also go over a few steps: A B A B A B. */
const LONGEST_PERIOD = 3;
const ALWAYS_EXEMPT = 'ask_user';

/** Where the same calls with the same results came round for the third time: the indexes of those answers. */
export function findLoops(turns: readonly Turn[], tools: readonly HarnessTool[]): number[] {
  const pollers = new Set(tools.filter((tool) => tool.poller).map((tool) => tool.name));
  const isExempt = (name: string): boolean => name === ALWAYS_EXEMPT || pollers.has(name);
  const signatures = turns.map((turn) => signatureOf(turn, isExempt));
  const loops: number[] = [];
  let start = 0;
  for (let end = 1; end <= signatures.length; end++) {
    if (!endsInLoop(signatures.slice(start, end))) continue;
    loops.push(end - 1);
    start = end;
  }
  return loops;
}

/** Null for an answer that cannot be part of a loop. */
function signatureOf(turn: Turn, isExempt: (name: string) => boolean): string | null {
  const calls = turn.calls.filter((call) => !isExempt(call.name));
  if (calls.length === 0 || calls.some((call) => !turn.results.has(call.id))) return null;
  return JSON.stringify(calls.map((call) => callSignature(call, turn)));
}

function callSignature(call: CallBlock, turn: Turn): unknown[] {
  const result = turn.results.get(call.id);
  const media = result?.media?.map((medium) => medium.file) ?? [];
  return [call.name, canonical(call.input), result?.isError, result?.content, media];
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, canonical(inner)]);
}

function endsInLoop(signatures: readonly (string | null)[]): boolean {
  for (let period = 1; period <= LONGEST_PERIOD; period++) {
    const tail = signatures.slice(-period * REPETITIONS);
    if (tail.length < period * REPETITIONS) return false;
    if (tail.every((signature, index) => signature !== null && signature === tail[index % period]))
      return true;
  }
  return false;
}
