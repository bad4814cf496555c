/** What the tree goes by. */
export interface TreeSpace {
  id: string;
  name: string;
  parentSpaceId: string | null;
  lastMessageAt: number | null;
  createdAt: number;
}

export interface SpaceNode<S extends TreeSpace> {
  space: S;
  /** What waits for a person in the space itself. */
  waiting: number;
  /** The same with the spaces below it. */
  allWaiting: number;
  children: SpaceNode<S>[];
}

/**
 * Spaces below the ones that they were opened from. Those where something waits come first, the most before the rest; then the
 * ones that were spoken in last.
 */
export function spaceTree<S extends TreeSpace>(
  spaces: readonly S[],
  waitingBySpace: ReadonlyMap<string, number>,
): SpaceNode<S>[] {
  const known = new Set(spaces.map(({ id }) => id));
  const below = Map.groupBy(spaces, ({ parentSpaceId }) =>
    parentSpaceId !== null && known.has(parentSpaceId) ? parentSpaceId : null,
  );
  const nodesBelow = (parent: string | null): SpaceNode<S>[] =>
    (below.get(parent) ?? []).map(nodeOf).sort(waitingThenLatest);
  function nodeOf(space: S): SpaceNode<S> {
    const waiting = waitingBySpace.get(space.id) ?? 0;
    const children = nodesBelow(space.id);
    const allWaiting = children.reduce((sum, child) => sum + child.allWaiting, waiting);
    return { space, waiting, allWaiting, children };
  }
  return nodesBelow(null);
}

const latest = ({ lastMessageAt, createdAt }: TreeSpace) => lastMessageAt ?? createdAt;

function waitingThenLatest(a: SpaceNode<TreeSpace>, b: SpaceNode<TreeSpace>): number {
  return (
    b.allWaiting - a.allWaiting || latest(b.space) - latest(a.space) || (a.space.id < b.space.id ? 1 : -1)
  );
}

/** Whether something is so of the space or of one below it. */
export function holds<S extends TreeSpace>(node: SpaceNode<S>, isSo: (space: S) => boolean): boolean {
  return isSo(node.space) || node.children.some((child) => holds(child, isSo));
}

/** How many approvals wait in each space. */
export function waitingBySpace(items: readonly { spaceId: string | null }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { spaceId } of items) if (spaceId !== null) counts.set(spaceId, (counts.get(spaceId) ?? 0) + 1);
  return counts;
}
