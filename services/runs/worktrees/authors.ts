import type { Actor } from '../../kit/actor.ts';
import type { Author } from '../../runner/runner.ts';

/** No mail reaches it: the domain is reserved for names that do not exist. */
const AGENT_DOMAIN = 'agents.control-center.invalid';
const MEMBER_DOMAIN = 'members.control-center.invalid';

export function agentAuthor(agentName: string): Author {
  return { name: agentName, email: `${agentName}@${AGENT_DOMAIN}` };
}

/** The person on whose request an agent works; null for anyone else. */
export function personAuthor(actor: Actor | string | null): Author | null {
  if (actor === null || !actor.startsWith('person:')) return null;
  const id = actor.slice('person:'.length);
  return { name: id, email: `${id}@${MEMBER_DOMAIN}` };
}
