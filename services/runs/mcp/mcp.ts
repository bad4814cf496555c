import { type Actor, isPerson } from '../../kit/actor.ts';
import type { RunsDeps } from '../deps.ts';
import { CallsUnderWay } from './calls-under-way.ts';
import { answer, readMessage } from './endpoint.ts';
import { operatorSet } from './operator-set.ts';
import { runSet } from './run-set.ts';
import { RunSurfaces } from './run-surfaces.ts';
import { runOfCaller } from './token-operations.ts';

/** Who speaks the tool protocol: a person, or a run through its token. */
interface Caller {
  workspaceId: string;
  actor: Actor;
  /** The run whose token the edge saw; null for everybody else. */
  runId: string | null;
}

/** The tool protocol of every workspace. */
export interface Mcp {
  /**
   * Answers one message of a client.
   * @throws Fault not_found for a workspace, forbidden, unauthenticated, invalid_request
   */
  answer(caller: Caller, request: Request, body: unknown): Promise<Response>;
  /** Takes back the calls that wait, and lets those that run come to rest. */
  stop(): Promise<void>;
}

export function createMcp(deps: RunsDeps): Mcp {
  const calls = new CallsUnderWay();
  const surfaces = new RunSurfaces(deps, calls.stopping);
  return {
    async answer(caller, request, body) {
      const database = await deps.databases.open(caller.workspaceId);
      const toolSet = isPerson(caller.actor)
        ? operatorSet(deps.operatorOf(caller.actor, caller.workspaceId))
        : runSet({ deps, surfaces, calls }, caller.workspaceId, await runOfCaller(database, caller));
      return answer(request, readMessage(body), toolSet, deps.log);
    },
    stop: () => calls.stop(),
  };
}
