import { join } from 'node:path';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault, hasFaultCode } from '../../kit/fault.ts';
import { changeRow, differing } from '../compare-and-set.ts';
import type { SpacesDeps } from '../deps.ts';
import { found } from '../not-found.ts';
import { changedAgent, checkReportsTo, nameTaken, newAgent } from './agent.ts';
import { agentDirectories, removeAgentDirectory, writeAgentDirectory } from './directory.ts';
import { checkModelChoice, choosesModel } from './model-choice.ts';
import type { Agent, AgentChange, NewAgent } from './schema.ts';
import { allAgents, findAgent, findAgentByKey, findAgentByName, insertAgent, updateAgent } from './store.ts';
import { createTurns } from './turns.ts';

export interface Roster {
  /** @throws Fault conflict (name taken), not_found or invalid_request (reportsTo, model, effort), unavailable, disk_full */
  hire(workspaceId: string, input: NewAgent, actor: Actor): Promise<Agent>;
  /** @throws the same, and conflict for a stale version */
  change(workspaceId: string, id: string, change: AgentChange, actor: Actor): Promise<Agent>;
  /** Makes every directory say what the rows say; for the start, after a crash between the two. */
  mend(workspaceId: string): Promise<void>;
}

/**
 * Agents as row and directory together. The row is the truth. Files are written first and the row after, so that a
 * failure of either can be undone by making the directory follow the row again, now or at the next start.
 */
export function createRoster(deps: SpacesDeps): Roster {
  const inTurn = createTurns();
  return {
    hire: (workspaceId, input, actor) =>
      inTurn(workspaceId, async () =>
        new WorkspaceRoster(deps, workspaceId, await open(deps, workspaceId)).hire(input, actor),
      ),
    change: (workspaceId, id, change, actor) =>
      inTurn(workspaceId, async () =>
        new WorkspaceRoster(deps, workspaceId, await open(deps, workspaceId)).change(id, change, actor),
      ),
    mend: (workspaceId) =>
      inTurn(workspaceId, async () =>
        new WorkspaceRoster(deps, workspaceId, await open(deps, workspaceId)).mendAll(),
      ),
  };
}

function open(deps: SpacesDeps, workspaceId: string): Promise<Database> {
  return deps.databases.open(workspaceId);
}

class WorkspaceRoster {
  readonly #deps: SpacesDeps;
  readonly #workspaceId: string;
  readonly #database: Database;
  readonly #root: string;

  constructor(deps: SpacesDeps, workspaceId: string, database: Database) {
    this.#deps = deps;
    this.#workspaceId = workspaceId;
    this.#database = database;
    this.#root = join(deps.databases.directory(workspaceId), 'agents');
  }

  async hire({ key, ...input }: NewAgent, actor: Actor): Promise<Agent> {
    const known = key === undefined ? null : await findAgentByKey(this.#database, key);
    if (known) {
      await writeAgentDirectory(this.#root, known);
      return known;
    }
    const agent = newAgent(input, this.#deps.clock());
    await this.#check(agent, Object.keys(agent), actor);
    const won = await this.#withFiles(agent, () => insertAgent(this.#database, agent, key ?? null, actor));
    if (won || key === undefined) return agent;
    return found(await findAgentByKey(this.#database, key), 'agent', agent.id);
  }

  change(id: string, { version, ...patch }: AgentChange, actor: Actor): Promise<Agent> {
    const read = async () => found(await findAgent(this.#database, id), 'agent', id);
    return changeRow(version, read, async (before) => {
      const changes = differing(before, patch);
      const changed = Object.keys(changes);
      if (changed.length === 0) return true;
      const after = changedAgent(before, changes, this.#deps.clock());
      await this.#check(after, changed, actor);
      const won = await this.#withFiles(after, () =>
        updateAgent(this.#database, before, after, changed, actor),
      );
      if (won && after.name !== before.name) await this.#follow(before.name);
      return won;
    });
  }

  async mendAll(): Promise<void> {
    const rows = await allAgents(this.#database);
    for (const agent of rows) await writeAgentDirectory(this.#root, agent);
    const names = new Set(rows.map((agent) => agent.name));
    const orphans = (await agentDirectories(this.#root)).filter((name) => !names.has(name));
    for (const name of orphans) await this.#follow(name);
  }

  async #check(agent: Agent, changed: readonly string[], actor: Actor): Promise<void> {
    const holder = await findAgentByName(this.#database, agent.name);
    if (holder && holder.id !== agent.id) throw nameTaken(agent.name);
    checkReportsTo(agent, await allAgents(this.#database));
    if (choosesModel(agent, changed))
      await checkModelChoice(agent, () => this.#deps.listModels(this.#workspaceId, actor));
  }

  async #withFiles(agent: Agent, commit: () => Promise<boolean>): Promise<boolean> {
    try {
      this.#deps.onPoint?.('agent.directory:before');
      await writeAgentDirectory(this.#root, agent);
      this.#deps.onPoint?.('agent.directory:after');
      const won = await commit();
      if (!won) await this.#undo(agent);
      return won;
    } catch (error) {
      await this.#undo(agent);
      throw this.#explained(error, agent);
    }
  }

  async #undo(agent: Agent): Promise<void> {
    const row = await findAgent(this.#database, agent.id);
    const names = new Set([agent.name, row?.name ?? agent.name]);
    for (const name of names) await this.#follow(name);
  }

  async #follow(name: string): Promise<void> {
    try {
      const row = await findAgentByName(this.#database, name);
      if (row) return await writeAgentDirectory(this.#root, row);
      if (await removeAgentDirectory(this.#root, name)) return;
      this.#deps.log.warn(
        { directory: join(this.#root, name) },
        'a former agent left files, which were kept',
      );
    } catch (error) {
      this.#deps.log.error(
        { err: error, name },
        "an agent's directory differs from its row until the next start",
      );
    }
  }

  #explained(error: unknown, agent: Agent): unknown {
    if (hasFaultCode(error, 'conflict')) return nameTaken(agent.name);
    const code = String((error as { code?: unknown }).code ?? '');
    if (error instanceof Fault || !/^E[A-Z]+$/.test(code)) return error;
    return new Fault(
      code === 'ENOSPC' ? 'disk_full' : 'unavailable',
      `The directory of agent ${JSON.stringify(agent.name)} cannot be written under ${this.#root} (${code}). Nothing was changed; mend the folder and try again.`,
      { driverCode: code },
      { cause: error },
    );
  }
}
