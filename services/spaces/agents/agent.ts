import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { Agent, AgentChange, NewAgent } from './schema.ts';

/** The agent that `input` describes; what it leaves out is unset and falls to the defaults of the built-in loop. */
export function newAgent(input: Omit<NewAgent, 'key'>, nowMs: number): Agent {
  return {
    id: newId('agt'),
    name: input.name,
    title: input.title,
    persona: input.persona ?? '',
    systemPrompt: input.systemPrompt ?? null,
    skills: input.skills ?? [],
    adapterId: input.adapterId ?? null,
    modelId: input.modelId ?? null,
    effort: input.effort ?? null,
    contextSize: input.contextSize ?? null,
    silenceTimeoutMinutes: input.silenceTimeoutMinutes ?? null,
    maxTurns: input.maxTurns ?? null,
    reportsTo: input.reportsTo ?? null,
    createdAt: nowMs,
    updatedAt: nowMs,
    version: 1,
  };
}

export function changedAgent(before: Agent, changes: Partial<AgentChange>, nowMs: number): Agent {
  const defined = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return { ...before, ...defined, updatedAt: nowMs, version: before.version + 1 };
}

export function nameTaken(name: string): Fault {
  return new Fault(
    'conflict',
    `An agent named ${JSON.stringify(name)} exists already. Choose another name.`,
    {
      faults: [{ path: 'name', message: 'is taken' }],
    },
  );
}

/**
 * Checks the line of superiors above `agent`.
 * @throws Fault not_found for an unknown superior, invalid_request naming the path of a cycle
 */
export function checkReportsTo(agent: Agent, roster: readonly Agent[]): void {
  const byId = new Map(roster.map((other) => [other.id, other]));
  const path = [agent.name];
  for (let above = agent.reportsTo; above !== null; ) {
    const superior: Agent | undefined = above === agent.id ? agent : byId.get(above);
    if (!superior) {
      throw new Fault(
        'not_found',
        `There is no agent ${JSON.stringify(above)} to report to in this workspace.`,
        {
          faults: [{ path: 'reportsTo', message: 'names no agent of this workspace' }],
        },
      );
    }
    path.push(superior.name);
    if (superior === agent) throw cycle(path);
    above = superior.reportsTo;
  }
}

function cycle(path: string[]): Fault {
  return new Fault(
    'invalid_request',
    `This would close a circle of superiors: ${path.join(' → ')}. Choose another agent to report to.`,
    { faults: [{ path: 'reportsTo', message: 'closes a circle' }], cycle: path },
  );
}
