import { type ReactNode, useRef, useState } from 'react';
import { useDraft } from '../composer/drafts.ts';
import { useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { Button } from '../ui/button.tsx';
import { FaultText } from '../ui/fault-text.tsx';
import css from './preview.module.css';
import type { WaitingApproval } from './queue.ts';
import { ReasonForm } from './reason-form.tsx';
import { inboxText } from './text.ts';
import type { Deciding } from './use-deciding.ts';
import { reasonKey } from './written.ts';

/** A way to say no, each with its words and whether it needs a reason. */
interface Refusal {
  /** On the button that asks for the reason. */
  label: string;
  verb: string;
  hint: string;
  needed: string | null;
  tone: 'primary' | 'danger';
  send(reason: string): void;
}

interface AskActionsProps {
  approval: WaitingApproval;
  deciding: Deciding;
  /** The button for a yes. */
  yes: { label: string; cannot?: string | null; hint?: string; run(): void };
  /** The first is the one of the key. */
  refusals: readonly Refusal[];
  children?: ReactNode;
}

/** The foot of an item: yes, and the ways to say no. `a` and `r` do the first of each. */
export function AskActions({ approval, deciding, yes, refusals, children }: AskActionsProps) {
  const t = useText(inboxText);
  const draftKey = reasonKey(approval);
  const [{ text: kept }] = useDraft(draftKey);
  const [open, setOpen] = useState<number | null>(null);
  const foot = useRef<HTMLDivElement>(null);
  const { cannot, isPending, problem } = deciding;
  const cannotYes = cannot ?? yes.cannot ?? null;
  const accept = () => {
    if (cannotYes === null) yes.run();
  };
  useKeys([
    { keys: 'a', label: t.approveKey, group: t.group, run: accept },
    { keys: 'r', label: t.refuseKey, group: t.group, run: () => cannot === null && setOpen(0) },
  ]);
  const close = () => {
    setOpen(null);
    foot.current?.focus();
  };
  const refusal = open === null ? undefined : refusals[open];
  return (
    <footer className={css.foot} ref={foot} tabIndex={-1}>
      {problem === null ? null : (
        <p className={css.problem} role="alert">
          <FaultText error={problem} />
        </p>
      )}
      {refusal ? (
        <ReasonForm
          key={refusal.label}
          draftKey={draftKey}
          {...refusal}
          isPending={isPending}
          onSend={refusal.send}
          onClose={close}
        />
      ) : (
        <div className={css.buttons}>
          <Button
            kind="primary"
            isPending={isPending}
            disabledReason={cannotYes}
            title={yes.hint}
            onClick={accept}
          >
            {yes.label}
          </Button>
          {refusals.map(({ label }, i) => (
            <Button key={label} isPending={isPending} disabledReason={cannot} onClick={() => setOpen(i)}>
              {label}
            </Button>
          ))}
          {children}
          {kept === '' ? null : <p className={css.kept}>{t.reasonKept}</p>}
        </div>
      )}
    </footer>
  );
}
