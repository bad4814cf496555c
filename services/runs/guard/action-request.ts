import type { PolicyDecision } from '../../../core-wasm/core.ts';
import type { ToolCall } from '../harness/tool-port.ts';
import type { NewMessage } from '../peers/spaces-port.ts';
import { redactedJson } from '../tools/redacted-json.ts';

const SUBJECT_CHARS = 200;
const CARD_CHARS = 4_000;

/** What a person is asked to allow; its digest is what a decision is bound to. */
export type ActionArguments = Pick<PolicyDecision, 'classes' | 'asked' | 'reason'> & {
  tool: string;
  /** Without the secrets in it. */
  input: unknown;
  /** Where the input is not shown as it is: a keyed hash of the exact one, so that no other call fits the decision. */
  exact?: string;
};

/** @param sign a keyed hash that nobody can compute who does not have the key */
export async function actionArguments(
  { name, input }: ToolCall,
  { classes, asked, reason }: PolicyDecision,
  secrets: readonly string[],
  sign: (text: string) => Promise<string>,
): Promise<ActionArguments> {
  const exact = JSON.stringify(input);
  const shown = redactedJson(input, secrets);
  const asJson = { tool: name, input: shown, classes, asked, reason };
  return JSON.stringify(shown) === exact ? asJson : { ...asJson, exact: await sign(exact) };
}

/** Whether an approval is about exactly this call, and every class that has to be asked now was asked then. */
export function covers(approved: Record<string, unknown>, wanted: ActionArguments): boolean {
  const { tool, input, exact, asked } = approved as Partial<ActionArguments>;
  const isSameCall =
    tool === wanted.tool && exact === wanted.exact && Bun.deepEquals(input, asJson(wanted.input));
  return isSameCall && Array.isArray(asked) && wanted.asked.every((effect) => asked.includes(effect));
}

/** As it comes back over the wire. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** One line that names the call. */
export function subjectOf({ tool, input }: ActionArguments): string {
  return shortened(`${tool}: ${gist(input)}`.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' '), SUBJECT_CHARS);
}

function gist(input: unknown): string {
  const isCommand = typeof input === 'object' && input !== null && 'command' in input;
  return isCommand ? String(input.command) : JSON.stringify(input);
}

/** The card that stands in the conversation until somebody decides. */
export function approvalCard(
  args: ActionArguments,
  ids: { approvalId: string; runId: string; rootRunId: string },
  key: string,
): NewMessage {
  const shown = shortened(gist(args.input), CARD_CHARS);
  // Longer than any fence inside, so that nothing of the call can be read as text of ours.
  const fence = '`'.repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const body = `\`${args.tool}\`: ${args.reason}\n\n${fence}\n${shown}\n${fence}`;
  return { kind: 'approval', body, data: ids, key: `${key}/approval/${ids.approvalId}` };
}

function shortened(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars - 1).toWellFormed()}…`;
}
