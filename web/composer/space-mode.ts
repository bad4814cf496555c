import { create } from 'zustand';
import type { Mode } from '../../core-wasm/core.ts';
import type { ShownSpace } from '../../services/spaces/spaces/schema.ts';
import { ask, spaces } from '../api/client.ts';
import { hasCode } from '../api/problem.ts';
import { keys, queryClient } from '../api/queries.ts';
import { notifyFailure } from '../ui/notices.tsx';

export type ModeSpace = Pick<
  ShownSpace,
  'id' | 'name' | 'mode' | 'agents' | 'version' | 'mainConversationId'
>;

/** What people choose from; review is for Control Center to set. */
export const OFFERED_MODES = ['chat', 'plan', 'orchestrate'] as const satisfies readonly Mode[];
type OfferedMode = (typeof OFFERED_MODES)[number];

/** Passing over a mode on the way to the next is no change of the space. */
const SETTLE_MS = 400;

/** Modes that were chosen and that the server has not confirmed yet, by space. */
const useChosen = create<Record<string, OfferedMode | undefined>>()(() => ({}));
const timers = new Map<string, ReturnType<typeof setTimeout>>();
const saving = new Map<string, Promise<void>>();

/** The mode that the person sees: the chosen one at once, the space's own again if that fails. */
export function useShownMode(space: ModeSpace): Mode {
  return useChosen((all) => all[space.id]) ?? space.mode;
}

export function chooseMode(ws: string, space: ModeSpace, mode: OfferedMode): void {
  useChosen.setState({ [space.id]: mode });
  clearTimeout(timers.get(space.id));
  timers.set(
    space.id,
    setTimeout(() => void settleMode(ws, space).catch(notifyFailure), SETTLE_MS),
  );
}

export function nextMode(mode: Mode): OfferedMode {
  const at = (OFFERED_MODES as readonly Mode[]).indexOf(mode);
  return OFFERED_MODES[(at + 1) % OFFERED_MODES.length] ?? 'chat';
}

/** Has the chosen mode saved, so that what is said next is said in it. @throws ApiProblem */
export async function settleMode(ws: string, space: ModeSpace): Promise<void> {
  clearTimeout(timers.get(space.id));
  timers.delete(space.id);
  // One after the other: each needs the version that the one before made.
  const before = saving.get(space.id) ?? Promise.resolve();
  const now = before.catch(() => undefined).then(() => save(ws, space));
  saving.set(space.id, now);
  return now;
}

async function save(ws: string, space: ModeSpace): Promise<void> {
  const mode = useChosen.getState()[space.id];
  const { version, mode: present } = newest(ws, space);
  try {
    if (mode === undefined || mode === present) return;
    const param = { workspaceId: ws, id: space.id };
    const at = spaces.api.workspaces[':workspaceId'].spaces[':id'];
    keep(ws, await ask(at.$patch({ param, json: { mode, version } })));
  } catch (error) {
    if (hasCode(error, 'conflict')) void queryClient.invalidateQueries({ queryKey: keys.spaces(ws) });
    throw error;
  } finally {
    if (useChosen.getState()[space.id] === mode) useChosen.setState({ [space.id]: undefined });
  }
}

type SpaceList = { items: ShownSpace[]; next: string | null };

/** The space as it was heard of last: in the list, by itself, or from the screen. */
function newest(ws: string, space: ModeSpace): ModeSpace {
  const list = queryClient.getQueryData<SpaceList>(keys.spaces(ws))?.items;
  const known = [
    list?.find(({ id }) => id === space.id),
    queryClient.getQueryData<ShownSpace>(keys.space(ws, space.id)),
  ];
  return known.reduce<ModeSpace>((last, one) => (one && one.version > last.version ? one : last), space);
}

function keep(ws: string, changed: ShownSpace): void {
  queryClient.setQueryData<SpaceList>(keys.spaces(ws), (list) =>
    list ? { ...list, items: list.items.map((one) => (one.id === changed.id ? changed : one)) } : list,
  );
  queryClient.setQueryData(keys.space(ws, changed.id), changed);
}
