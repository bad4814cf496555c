import { unwrap } from '../../../services/kit/peer.ts';
import type { RunsApp } from '../../../services/runs/service.ts';
import { overSend } from './over-send.ts';
import type { Send } from './send.ts';

/** What a person does to a run at work. Each may be sent again: it then changes nothing more. */
export function runControlCalls(send: Send) {
  const { runs } = overSend<RunsApp>(send).api.workspaces[':workspaceId'];
  return {
    pauseRun: (workspaceId: string, id: string) =>
      unwrap(runs[':id'].pause.$post({ param: { workspaceId, id } })),
    /** @param key the same again is the same message */
    steerRun: (workspaceId: string, id: string, text: string, key: string) =>
      unwrap(runs[':id'].steer.$post({ param: { workspaceId, id }, json: { text, key } })),
    /** Waits for the call in flight for a while; `pausing` says that it is not over. */
    takeOverRun: (workspaceId: string, id: string) =>
      unwrap(runs[':id'].takeover.$post({ param: { workspaceId, id } })),
    handBackRun: (workspaceId: string, id: string, note: string | null) =>
      unwrap(runs[':id'].handback.$post({ param: { workspaceId, id }, json: { note } })),
  };
}
