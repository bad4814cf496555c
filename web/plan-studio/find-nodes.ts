import type { StatusWord } from '../ui/status-words.ts';
import type { PlanNode } from './plan-view.ts';

/** Letters without case and accents, so that `depot` finds `Dépôt`. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Keys of the nodes that have every word of the text in title, role, key or in the words of their state. */
export function findNodes(
  nodes: readonly PlanNode[],
  text: string,
  statuses: Readonly<Partial<Record<StatusWord, string>>>,
): string[] {
  const words = plain(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return nodes.flatMap(({ key, title, roleTitle, status, statusNote }) => {
    const state = status ? `${statuses[status] ?? ''} ${statusNote ?? ''}` : '';
    const said = plain(`${title} ${roleTitle ?? ''} ${key} ${state}`);
    return words.every((word) => said.includes(word)) ? [key] : [];
  });
}
