import { create } from 'zustand';
import type { Approval, NewDecision } from '../../services/spaces/approvals/schema.ts';
import { ask, spaces } from '../api/client.ts';
import { hasCode } from '../api/problem.ts';
import { keys, queryClient } from '../api/queries.ts';
import { isOpen } from '../conversation/cards/approval-data.ts';
import { useMe } from '../shell/use-me.ts';
import type { WaitingApproval } from './queue.ts';
import { settle } from './settled.ts';
import { dropWritten } from './written.ts';

interface Standing {
  isPending: boolean;
  /** The error of the last try. */
  problem: unknown;
  /** This person decided as well, and somebody else was first. */
  wasLate: boolean;
}

const FREE: Standing = { isPending: false, problem: null, wasLate: false };

/** Each item by itself: one that is under way keeps nobody from the next, and is still so when one comes back to it. */
const useStandings = create<Record<string, Standing>>()(() => ({}));
const set = (id: string, standing: Partial<Standing>) =>
  useStandings.setState((all) => ({ [id]: { ...FREE, ...all[id], ...standing } }));

export const useStanding = (id: string): Standing => useStandings((all) => all[id]) ?? FREE;

export interface Deciding extends Standing {
  /** Why this person cannot decide; null for one who can. */
  cannot: string | null;
  decide(decision: NewDecision): void;
  /** The same by another way to the server than the approval's own. */
  run(send: () => Promise<unknown>): void;
}

/** Decides about exactly what the person sees. @param onDecided told once this person's word stands */
export function useDeciding(ws: string, approval: WaitingApproval, onDecided: () => void): Deciding {
  const { cannotChange } = useMe();
  const standing = useStanding(approval.id);
  const run = (send: () => Promise<unknown>) => {
    if (standing.isPending || cannotChange !== null) return;
    void carryOut(ws, approval, send).then((isMine) => isMine && onDecided());
  };
  const at = spaces.api.workspaces[':workspaceId'].approvals[':id'].decision;
  return {
    ...standing,
    cannot: cannotChange,
    run,
    decide: (decision) =>
      run(() =>
        ask(
          at.$post({
            param: { workspaceId: ws, id: approval.id },
            json: { digest: approval.digest, ...decision },
          }),
        ),
      ),
  };
}

/** @returns whether this person's word stands */
async function carryOut(
  ws: string,
  approval: WaitingApproval,
  send: () => Promise<unknown>,
): Promise<boolean> {
  const { id } = approval;
  set(id, { isPending: true, problem: null });
  try {
    await send();
    dropWritten(approval);
    settle(approval, await lookAgain(ws, id));
    return true;
  } catch (error) {
    set(id, await afterFailure(ws, approval, error));
    return false;
  } finally {
    set(id, { isPending: false });
  }
}

const CLOSED_CODES = ['already_decided', 'stale_revision', 'wrong_status'];

/** Of several people the first decides; the others see what stands. */
async function afterFailure(
  ws: string,
  approval: WaitingApproval,
  error: unknown,
): Promise<Partial<Standing>> {
  if (!hasCode(error, ...CLOSED_CODES)) return { problem: error };
  const now = await lookAgain(ws, approval.id).catch(() => null);
  if (now === null || isOpen(now)) return { problem: error };
  settle(approval, now);
  return { wasLate: true };
}

async function lookAgain(workspaceId: string, id: string): Promise<Approval> {
  const at = spaces.api.workspaces[':workspaceId'].approvals[':id'];
  const now = (await ask(at.$get({ param: { workspaceId, id } }))) as Approval;
  queryClient.setQueryData(keys.approval(workspaceId, id), now);
  return now;
}
