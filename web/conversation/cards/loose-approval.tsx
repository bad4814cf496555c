import { Avatar } from '../../ui/avatar.tsx';
import css from '../message/message.module.css';
import { useNames } from '../names.ts';
import { ApprovalCard } from './approval-card.tsx';
import { useApproval } from './approval-data.ts';

/** Something that waits for a word and that no message shows, as if its requester had said it. */
export function LooseApproval({ ws, approvalId }: { ws: string; approvalId: string }) {
  const nameOf = useNames(ws);
  const { name, kind } = nameOf(useApproval(ws, approvalId).data?.requester ?? '');
  return (
    <div className={css.row}>
      <Avatar name={name} kind={kind} />
      <ApprovalCard ws={ws} approvalId={approvalId} />
    </div>
  );
}
