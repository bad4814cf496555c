import type { Agent } from '../../services/spaces/agents/schema.ts';
import type { AgentFields } from './agent-data.ts';

/** An agent's settings as they are typed: all text, empty for what is unset. */
export interface AgentForm {
  name: string;
  title: string;
  reportsTo: string;
  persona: string;
  systemPrompt: string;
  skills: readonly string[];
  adapterId: string;
  modelId: string;
  effort: string;
  contextSize: string;
  silenceTimeoutMinutes: string;
  maxTurns: string;
}
export type AgentField = keyof AgentForm;

export const EMPTY_FORM: AgentForm = {
  ...{ name: '', title: '', reportsTo: '', persona: '', systemPrompt: '', skills: [] },
  ...{ adapterId: '', modelId: '', effort: '', contextSize: '', silenceTimeoutMinutes: '', maxTurns: '' },
};
export const AGENT_FIELDS = Object.keys(EMPTY_FORM) as readonly AgentField[];
const NUMBERS = ['contextSize', 'silenceTimeoutMinutes', 'maxTurns'] as const;
type NumberField = (typeof NUMBERS)[number];
const isNumberField = (field: AgentField): field is NumberField =>
  (NUMBERS as readonly string[]).includes(field);

export function formOf(agent: Agent): AgentForm {
  const text = (value: string | number | null) => (value === null ? '' : String(value));
  return {
    ...{ name: agent.name, title: agent.title, persona: agent.persona, skills: agent.skills },
    ...{ reportsTo: text(agent.reportsTo), systemPrompt: text(agent.systemPrompt) },
    ...{ adapterId: text(agent.adapterId), modelId: text(agent.modelId), effort: text(agent.effort) },
    contextSize: text(agent.contextSize),
    silenceTimeoutMinutes: text(agent.silenceTimeoutMinutes),
    maxTurns: text(agent.maxTurns),
  };
}

const MULTILINE: readonly AgentField[] = ['persona', 'systemPrompt'];

/** Skills are a set without regard to case; one-line text is trimmed by the server. */
function comparable(field: AgentField, value: AgentForm[AgentField]): string {
  if (typeof value !== 'string')
    return value
      .map((name) => name.toLowerCase())
      .toSorted()
      .join('\n');
  return MULTILINE.includes(field) ? value : value.trim();
}

/** Fields in which two forms say something different. */
export function differing(a: AgentForm, b: AgentForm): AgentField[] {
  return AGENT_FIELDS.filter((field) => comparable(field, a[field]) !== comparable(field, b[field]));
}

/** Digits as people write them, with spaces, commas or underscores between; null for no whole number. */
export function wholeNumber(text: string): number | null {
  const digits = text.replaceAll(/[\s_,’']/g, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

/** Fields that hold text where a whole number is wanted; what is out of bounds the server says. */
export function noNumbers(form: AgentForm): NumberField[] {
  return NUMBERS.filter((field) => form[field].trim() !== '' && wholeNumber(form[field]) === null);
}

/** The fields as the server takes them, of the form's `fields`. */
export function fieldsOf(form: AgentForm, fields: readonly AgentField[]): Partial<AgentFields> {
  return Object.fromEntries(fields.map((field) => [field, sentOf(form, field)]));
}

function sentOf(form: AgentForm, field: AgentField): AgentFields[AgentField] {
  if (field === 'skills') return [...form.skills];
  if (field === 'persona') return form.persona;
  if (field === 'name' || field === 'title') return form[field].trim();
  const text = form[field].trim();
  if (text === '') return null;
  if (isNumberField(field)) return wholeNumber(text);
  return field === 'systemPrompt' ? form.systemPrompt : text;
}

export interface Merged {
  /** Mine where only I changed, or both did; theirs elsewhere. */
  form: AgentForm;
  /** Both changed these, to different values: a person has to choose. */
  conflicts: AgentField[];
  /** Only they changed these. */
  taken: AgentField[];
}

/** Two changes of the same form brought together, field by field. */
export function merged(base: AgentForm, theirs: AgentForm, mine: AgentForm): Merged {
  const [ofTheirs, ofMine] = [differing(base, theirs), differing(base, mine)];
  const apart = differing(theirs, mine);
  const form = { ...theirs, ...Object.fromEntries(ofMine.map((field) => [field, mine[field]])) };
  return {
    form,
    conflicts: ofTheirs.filter((field) => ofMine.includes(field) && apart.includes(field)),
    taken: ofTheirs.filter((field) => !ofMine.includes(field)),
  };
}
