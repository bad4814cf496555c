import type { Actor } from '../../kit/actor.ts';
import type { RunsDeps } from '../deps.ts';
import { CallsUnderWay } from './calls-under-way.ts';
import { RunSurfaces } from './run-surfaces.ts';

/** Who speaks the tool protocol: a person, or a run through its token. */
export interface Caller {
  workspaceId: string;
  actor: Actor;
  /** The run whose token the edge saw; null for everybody else. */
  runId: string | null;
  /** A person who looks on and changes nothing. */
  isViewer: boolean;
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
      // Loaded with the first client: the protocol is nothing to start a server with.
      const { serve } = await import('./serve.ts');
      return serve({ deps, calls, surfaces }, caller, request, body);
    },
    stop: () => calls.stop(),
  };
}
