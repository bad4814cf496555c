import { differingFields, type EditableField, type EditableSpace } from './space-draft.ts';

/** What a person changes of a space while others may change it, too. */
export interface SpaceEdits {
  mine: Partial<EditableSpace>;
  /** What each of these fields was when the person began to change it, or has since agreed to write over. */
  seen: Partial<EditableSpace>;
}

export const NO_EDITS: SpaceEdits = { mine: {}, seen: {} };

/** With another value of a field; `now` is the space as it is. */
export function edited(
  { mine, seen }: SpaceEdits,
  now: EditableSpace,
  part: Partial<EditableSpace>,
): SpaceEdits {
  return { mine: { ...mine, ...part }, seen: { ...pick(now, fieldsOf(part)), ...seen } };
}

/** Fields that somebody else gave another value than the person, since the person saw them. */
export function conflictsOf({ mine, seen }: SpaceEdits, now: EditableSpace): EditableField[] {
  const theirs = differingFields(now, { ...now, ...seen });
  return differingFields(now, { ...now, ...mine }).filter((field) => theirs.includes(field));
}

/** The person's values hold: those of others were seen. */
export const keepMine = ({ mine }: SpaceEdits, now: EditableSpace): SpaceEdits => ({
  ...{ mine, seen: pick(now, fieldsOf(mine)) },
});

/** What others made of the fields in conflict holds; other edits stay. */
export function takeTheirs(edits: SpaceEdits, now: EditableSpace): SpaceEdits {
  const gone = conflictsOf(edits, now);
  const rest = fieldsOf(edits.mine).filter((field) => !gone.includes(field));
  return { mine: pick(edits.mine, rest), seen: pick(edits.seen, rest) };
}

const fieldsOf = (part: Partial<EditableSpace>) => Object.keys(part) as EditableField[];
const pick = (from: Partial<EditableSpace>, fields: readonly EditableField[]): Partial<EditableSpace> =>
  Object.fromEntries(fields.map((field) => [field, from[field]]));
