import { isPerson } from '../../kit/actor.ts';
import type { RunsDeps } from '../deps.ts';
import type { CallsUnderWay } from './calls-under-way.ts';
import { answer, readMessage } from './endpoint.ts';
import type { Caller } from './mcp.ts';
import { operatorSet } from './operator-set.ts';
import { runSet } from './run-set.ts';
import type { RunSurfaces } from './run-surfaces.ts';
import { runOfCaller } from './token-operations.ts';

/** What the requests of one process share. */
export interface Serving {
  deps: RunsDeps;
  calls: CallsUnderWay;
  surfaces: RunSurfaces;
}

/** Answers one message with the tools that the caller's token is offered. */
export async function serve(
  serving: Serving,
  caller: Caller,
  request: Request,
  body: unknown,
): Promise<Response> {
  const { deps } = serving;
  const { workspaceId, actor, isViewer } = caller;
  const database = await deps.databases.open(workspaceId);
  const toolSet = isPerson(actor)
    ? operatorSet(deps.operatorOf(actor, workspaceId), isViewer)
    : runSet(serving, workspaceId, await runOfCaller(database, caller));
  return answer(request, readMessage(body), toolSet, deps.log);
}
