import { unwrap } from '../../../services/kit/peer.ts';
import type { UndoRequest } from '../../../services/runs/checkpoints/schema.ts';
import type { RunsApp } from '../../../services/runs/service.ts';
import { overSend } from './over-send.ts';
import type { Send } from './send.ts';

export function checkpointCalls(send: Send) {
  const { runs } = overSend<RunsApp>(send).api.workspaces[':workspaceId'];
  return {
    checkpoints: async (workspaceId: string, id: string) =>
      (await unwrap(runs[':id'].checkpoints.$get({ param: { workspaceId, id } }))).items,
    /** The same again finishes one that was cut off, and changes nothing after one that was not. */
    undoRun: (workspaceId: string, id: string, json: UndoRequest) =>
      unwrap(runs[':id'].undo.$post({ param: { workspaceId, id }, json })),
  };
}
