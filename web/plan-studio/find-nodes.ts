import type { PlanNode } from './plan-view.ts';

/** Letters without case and accents, so that `depot` finds `Dépôt`. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Keys of the nodes that have every word of the text in title, role or key. */
export function findNodes(nodes: readonly PlanNode[], text: string): string[] {
  const words = plain(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return nodes.flatMap(({ key, title, roleTitle }) => {
    const said = plain(`${title} ${roleTitle ?? ''} ${key}`);
    return words.every((word) => said.includes(word)) ? [key] : [];
  });
}
