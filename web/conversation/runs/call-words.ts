import type { Step } from '../../../services/runs/pages/steps.ts';
import type { StatusWord } from '../../ui/status-words.ts';
import { visibleText } from '../../ui/visible-text.ts';

export type StepCall = Step['calls'][number];

/** Fields of a tool's input that say what the call is about, the first that is there. */
const OBJECTS = [
  'path',
  'command',
  'pattern',
  'glob',
  'url',
  'title',
  'task',
  'question',
  'goal',
  'message',
  'name',
];
const MORE_OBJECTS = ['summary', 'body', 'ticketId', 'id', 'query', 'reviewId'];
const OBJECT_CHARS = 160;

/** What a call is about, in one line; empty where its input does not say. */
export function objectOf(input: unknown): string {
  if (typeof input === 'string') return oneLine(input);
  if (typeof input !== 'object' || input === null) return '';
  const fields = input as Record<string, unknown>;
  const named = [...OBJECTS, ...MORE_OBJECTS].find((name) => typeof fields[name] === 'string');
  const first = named ?? Object.keys(fields).find((name) => typeof fields[name] === 'string');
  return first === undefined ? '' : oneLine(String(fields[first]));
}

/** What is known of a call beside its entries. */
export interface CallContext {
  /** It is heard that it is being made. */
  isHeard: boolean;
  isRunOver: boolean;
  /** The run waits for a sub-agent, which is what this call is about. */
  isDelegated: boolean;
}

/** How a call stands, in the words of any status. What had not begun when its run ended never will. */
export function statusOfCall(
  { name, state, endedAt }: StepCall,
  { isHeard, isRunOver, isDelegated }: CallContext,
): StatusWord {
  if (isRunOver && (state === 'open' || state === 'started')) return 'skipped';
  if (isHeard && endedAt === null) return 'running';
  if (state === 'open' && isDelegated && name === 'run_subagent') return 'running';
  const words: Record<StepCall['state'], StatusWord> = {
    open: 'pending',
    held: 'awaiting',
    started: 'running',
    succeeded: 'done',
    failed: 'failed',
    denied: 'cancelled',
  };
  return words[state];
}

/** A tool's input as text: a command, or a file's new content, as it is; else JSON. */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  const [only] = fields;
  if (fields.length === 1 && only && typeof only[1] === 'string') return only[1];
  return JSON.stringify(input, null, 2);
}

function oneLine(text: string): string {
  const line = visibleText(text.replaceAll(/\s+/g, ' ').trim());
  return line.length > OBJECT_CHARS ? `${line.slice(0, OBJECT_CHARS - 1)}…` : line;
}
