export interface Seen {
  /** When this browser first opened the workspace: what was said before is not news. */
  since: Readonly<Record<string, number>>;
  /** When each space was last looked at. */
  seen: Readonly<Record<string, number>>;
}

/** Whether something was said that this browser has not shown. @param lastMessageAt as the server told it; null for none */
export function isUnread(
  { since, seen }: Seen,
  ws: string,
  spaceId: string,
  lastMessageAt: number | null,
  latest: number | undefined,
): boolean {
  const shownUpTo = seen[spaceId] ?? since[ws];
  const newest = Math.max(lastMessageAt ?? 0, latest ?? 0);
  return shownUpTo !== undefined && newest > shownUpTo;
}
