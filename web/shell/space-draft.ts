import type { Autonomy, Mode } from '../../core-wasm/core.ts';
import type { Space, SpaceRepository, WhenNobody } from '../../services/spaces/spaces/schema.ts';

/** What a person fills in about a space. */
export interface SpaceDraft {
  name: string;
  mode: Mode;
  agents: readonly string[];
  repositories: readonly SpaceRepository[];
  autonomy: Autonomy;
  whenNobody: WhenNobody;
}

/** The parts that can be changed later. */
export type EditableSpace = Omit<SpaceDraft, 'repositories'>;

export const EMPTY_SPACE: SpaceDraft = {
  name: '',
  mode: 'chat',
  agents: [],
  repositories: [],
  autonomy: 'actWithApproval',
  whenNobody: 'refuse',
};

export const draftOf = ({ name, mode, agents, repositories, autonomy, whenNobody }: Space): SpaceDraft => ({
  ...{ name, mode, agents, repositories, autonomy, whenNobody },
});

const EDITABLE = ['name', 'mode', 'agents', 'autonomy', 'whenNobody'] as const;
export type EditableField = (typeof EDITABLE)[number];

/** Fields in which two versions of a space differ; the order of agents says nothing. */
export function differingFields(a: EditableSpace, b: EditableSpace): EditableField[] {
  return EDITABLE.filter((field) => textOf(a[field]) !== textOf(b[field]));
}

const textOf = (value: string | readonly string[]) =>
  typeof value === 'string' ? value.trim() : value.toSorted().join('\n');

/** The change that makes `before` what the draft says; null when there is nothing to change. */
export function changeOf(before: EditableSpace, draft: EditableSpace): Partial<EditableSpace> | null {
  const fields = differingFields(before, draft);
  if (fields.length === 0) return null;
  return Object.fromEntries(fields.map((field) => [field, draft[field]]));
}

/** A slug from the last part of a path: `/srv/My App` is `my-app`. */
export function repositoryName(path: string): string {
  const last = path.split('/').filter(Boolean).at(-1) ?? '';
  return last
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{Diacritic}/gu, '')
    .replace(/\.git$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);
}
