import type { Actor } from './kit/actor.ts';
import type { Bearer } from './kit/edge.ts';
import { Fault, hasFaultCode } from './kit/fault.ts';
import { type Peer, unwrap } from './kit/peer.ts';
import { RUN_HEADER, runTokenDigest } from './runs/mcp/run-token.ts';
import type { RunsApp } from './runs/service.ts';

const SELF: Actor = 'service:edge';

/** Written in one way only, so that no other spelling of a path is opened by mistake. */
const MCP_PATH = /^\/api\/workspaces\/(ws_[a-z0-9]{1,40})\/mcp$/;

/**
 * The agent behind a run's token, at the tool endpoint of its workspace. `runs` is asked with the token's digest alone.
 * @throws Fault forbidden at every other path, unauthenticated for a token that is not known there or whose run has ended
 */
export async function bearerOfRun(runs: Peer<RunsApp>, token: string, path: string): Promise<Bearer> {
  const workspaceId = MCP_PATH.exec(path)?.[1];
  if (workspaceId === undefined) {
    throw new Fault('forbidden', "A run's token opens /api/workspaces/<its workspace>/mcp and nothing else.");
  }
  const holder = runs(SELF).api.workspaces[':workspaceId'].mcp['token-holder'];
  try {
    const json = { digest: runTokenDigest(token) };
    const { runId, agentId } = await unwrap(holder.$post({ param: { workspaceId }, json }));
    return { actor: `agent:${agentId}`, headers: { [RUN_HEADER]: runId } };
  } catch (error) {
    if (!hasFaultCode(error, 'not_found')) throw error;
    throw new Fault('unauthenticated', 'There is no such workspace for this token.', {}, { cause: error });
  }
}
