import { type Actor, actorId, isPerson } from '../../kit/actor.ts';
import { isAgent } from '../permission.ts';
import type { Mentions } from './mentions.ts';
import type { MessageKind } from './schema.ts';

export interface Posting {
  author: Actor;
  kind: MessageKind;
  /** Ids of the agents that are to be woken whatever the text says. */
  named?: readonly string[] | undefined;
  mentions: Mentions;
  /** Who wrote the message that the thread grows from; null outside a thread. */
  parentAuthor: Actor | null;
  /** Ids of the agents in the room. */
  roomAgents: readonly string[];
}

/**
 * Ids of the agents whom a message starts working: only a person's text does. Whoever it was said to wake; else whoever is mentioned; else, in a thread,
 * the agent who wrote its parent; else the only agent in the room. One who addresses somebody unknown wakes nobody else.
 */
export function agentsToWake(posting: Posting): string[] {
  if (!isPerson(posting.author) || posting.kind !== 'text') return [];
  if (posting.named) return [...new Set(posting.named)];
  const { agentIds, notices } = posting.mentions;
  if (agentIds.length > 0) return agentIds;
  if (notices.length > 0) return [];
  if (posting.parentAuthor && isAgent(posting.parentAuthor)) return [actorId(posting.parentAuthor)];
  return posting.roomAgents.length === 1 ? [...posting.roomAgents] : [];
}
