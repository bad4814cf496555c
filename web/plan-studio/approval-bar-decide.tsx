import { useState } from 'react';
import { texts, useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import css from './approval-bar.module.css';
import { CancelPlan } from './approval-bar-cancel.tsx';
import { RequestChanges } from './approval-bar-changes.tsx';
import { ApprovalConfirmation } from './approval-bar-confirm.tsx';
import { useApprovalObstacle } from './approval-bar-obstacle.ts';
import { useDesk } from './plan-screen-context.ts';
import { usePlanUrl } from './plan-screen-url.ts';

const words = texts(
  {
    approve: 'Approve all',
    part: 'Approve a part…',
    changes: 'Request changes…',
    cancel: 'Cancel the plan…',
  },
  {
    approve: 'Tout approuver',
    part: 'Approuver une partie…',
    changes: 'Demander des modifications…',
    cancel: 'Annuler le plan…',
  },
);

type Asking =
  | { kind: 'approve'; revision: number }
  | { kind: 'changes'; revision: number }
  | { kind: 'cancel' };

/** The decision about a proposed plan. Whatever is decided is about the revision that the person saw, edits included. */
export function DecideActions() {
  const t = useText(words);
  const { saver, draft } = useDesk();
  const { go } = usePlanUrl();
  const { cannotChange } = useMe();
  const obstacle = useApprovalObstacle();
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = () => setAsking(null);
  const ask = async (kind: 'approve' | 'changes') => {
    // What could not be saved is said where it is edited, and why nothing can be approved on the button.
    if (await saver.flush()) setAsking({ kind, revision: draft.getState().base.revision });
  };
  if (asking?.kind === 'approve')
    return <ApprovalConfirmation revision={asking.revision} tickets={null} onClose={close} />;
  return (
    <div className={css.actions}>
      <Button kind="quiet" disabledReason={cannotChange} onClick={() => setAsking({ kind: 'cancel' })}>
        {t.cancel}
      </Button>
      <Button disabledReason={obstacle.changes} onClick={() => void ask('changes')}>
        {t.changes}
      </Button>
      <Button disabledReason={obstacle.approve} onClick={() => go({ panel: 'part', rev: null, diff: null })}>
        {t.part}
      </Button>
      <Button
        kind="primary"
        data-field="approve"
        disabledReason={obstacle.approve}
        onClick={() => void ask('approve')}
      >
        {t.approve}
      </Button>
      {asking?.kind === 'changes' ? <RequestChanges revision={asking.revision} onClose={close} /> : null}
      {asking?.kind === 'cancel' ? <CancelPlan onClose={close} /> : null}
    </div>
  );
}
