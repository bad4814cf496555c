import type { Actor } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import type { RunsDeps } from '../deps.ts';

export interface Notice {
  body: string;
  data: Record<string, unknown>;
  /** The same again is the same notice. */
  key: string;
}

/**
 * Posts a notice for people; one that can never be posted is logged.
 * @throws Fault of spaces when it is one that may pass
 */
export async function postNotice(
  deps: RunsDeps,
  workspaceId: string,
  author: Actor,
  conversationId: string,
  notice: Notice,
): Promise<void> {
  try {
    await deps.spaces.postMessage(author, workspaceId, conversationId, { kind: 'notice', ...notice });
  } catch (error) {
    if (!(error instanceof Fault) || error.retryable) throw error;
    deps.log.error({ err: error, key: notice.key }, 'a notice could not be posted');
  }
}
