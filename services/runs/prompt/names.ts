import { nameKey } from '../../../core-wasm/core.ts';
import type { SpacesPort } from '../peers/spaces-port.ts';

/** What an actor is called where an agent or a person reads it. */
export type NameOf = (actor: string) => string;

/**
 * Names of agents and people by actor, those of people who have left too; of anybody else the actor itself. Two of one name
 * are told apart by the id of the person, and so is one whose name could pass for what is said of somebody.
 */
export async function namesOf(
  spaces: Pick<SpacesPort, 'agents' | 'people'>,
  workspaceId: string,
): Promise<NameOf> {
  const [agents, people] = await Promise.all([spaces.agents(workspaceId), spaces.people()]);
  const taken = Map.groupBy([...agents, ...people], ({ name }) => nameKey(name));
  const names = new Map(agents.map(({ id, name }) => [`agent:${id}`, name]));
  for (const { id, name, isFormer } of people) {
    const isOne = taken.get(nameKey(name))?.length === 1 && !/[():]/.test(name.normalize('NFKC'));
    const notes = [...(isOne ? [] : [id]), ...(isFormer ? ['former member'] : [])];
    names.set(`person:${id}`, notes.length === 0 ? name : `${name} (${notes.join(', ')})`);
  }
  return (actor) => names.get(actor) ?? actor;
}
