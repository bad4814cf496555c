import { runOfChild } from '../delegation/child-completed.ts';
import { refOf } from '../delegation/delegation-key.ts';
import type { RunsDeps } from '../deps.ts';
import { namesOf } from '../prompt/names.ts';
import { agentActor } from '../runs/run.ts';
import { findRow } from '../runs/store.ts';
import { postNotice } from './notices.ts';
import { runOfMessage } from './own-run.ts';
import { unreadMessages } from './store.ts';

/**
 * Sees to what was said to a run that ended without reading it: after a failure each message has a run of its own; of a
 * cancelled run people are told what it did not read. Doing it again does nothing.
 * @returns whether there may be a run to start
 * @throws Fault of spaces when it is one that may pass
 */
export async function passOnUnread(deps: RunsDeps, workspaceId: string, runId: string): Promise<boolean> {
  const database = await deps.databases.open(workspaceId);
  const unread = await unreadMessages(database, runId);
  if (unread.length === 0) return false;
  const row = await findRow(database, runId);
  const { status, conversationId, agentId } = row;
  if (status !== 'cancelled') {
    for (const message of unread) {
      if (refOf('childCompleted', message.messageId)) await runOfChild(deps, workspaceId, row, message);
      else await runOfMessage(deps, workspaceId, message, conversationId);
    }
    return true;
  }
  if (conversationId === null) return false;
  const nameOf = await namesOf(deps.spaces, workspaceId);
  for (const { messageId, author, body } of unread) {
    const shown = body.length > SHOWN_CHARS ? `${body.slice(0, SHOWN_CHARS).toWellFormed()}…` : body;
    await postNotice(deps, workspaceId, agentActor(agentId), conversationId, {
      body: `The run was cancelled before it read this message of ${nameOf(author)}. Write again if it still holds:\n\n${shown.replaceAll(/^/gm, '> ')}`,
      data: { runId, messageId },
      key: `${runId}/unread/${messageId}`,
    });
  }
  return false;
}

const SHOWN_CHARS = 1_000;
