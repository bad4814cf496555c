import { Check, ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { Approval, ApprovalArguments } from '../../../services/spaces/approvals/schema.ts';
import { useText } from '../../i18n/text.ts';
import { reasonKey } from '../../inbox/written.ts';
import { useMe } from '../../shell/use-me.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useNames } from '../names.ts';
import { useDecision } from './approval-data.ts';
import css from './cards.module.css';
import { Effects } from './effects.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { cardText } from './text.ts';

type Dialogue = 'rule' | 'refuse' | null;

/** Yes once, for the run or by a rule, each with what it allows; or no, with a reason. */
export function ActionChoices({ ws, approval }: { ws: string; approval: Approval }) {
  const t = useText(cardText);
  const decide = useDecision(ws, approval);
  const { cannotChange } = useMe();
  const [dialogue, setDialogue] = useState<Dialogue>(null);
  const close = () => setDialogue(null);
  const canBeRule = asked(approval).length > 0;
  return (
    <>
      <Button
        kind="primary"
        title={t.allowOnceHint}
        disabledReason={cannotChange}
        isPending={decide.isPending}
        onClick={() => decide.mutate({ decision: 'approved', grant: 'once' })}
      >
        <Check size={15} aria-hidden /> {t.allowOnce}
      </Button>
      {cannotChange === null ? (
        <Menu<'run' | 'rule'>
          label={t.more}
          button={<ChevronDown size={16} aria-hidden />}
          items={[
            ...(approval.runId === null
              ? []
              : [{ value: 'run' as const, label: t.allowRun, hint: t.allowRunHint }]),
            ...(canBeRule
              ? [
                  {
                    value: 'rule' as const,
                    label: t.allowRule,
                    hint: t.allowRuleHint.replace(/[:\s]+$/u, '.'),
                  },
                ]
              : []),
          ]}
          onChoose={(grant) =>
            grant === 'rule' ? setDialogue('rule') : decide.mutate({ decision: 'approved', grant })
          }
        />
      ) : null}
      <Button
        disabledReason={cannotChange}
        isPending={decide.isPending}
        onClick={() => setDialogue('refuse')}
      >
        {t.refuse}
      </Button>
      {dialogue === 'rule' ? <RuleDialog ws={ws} approval={approval} onClose={close} /> : null}
      {dialogue === 'refuse' ? (
        <ReasonDialog
          draftKey={reasonKey(approval)}
          title={t.refuseTitle}
          verb={t.refuseNow}
          isNeeded={false}
          isPending={decide.isPending}
          onClose={close}
          onSend={(reason) =>
            decide.mutate({ decision: 'refused', ...(reason !== '' && { reason }) }, { onSettled: close })
          }
        />
      ) : null}
    </>
  );
}

const asked = (approval: Approval) =>
  (approval.arguments as unknown as ApprovalArguments['action']).asked ?? [];

/** Where the rule is to hold, said before it is made. */
function RuleDialog({ ws, approval, onClose }: { ws: string; approval: Approval; onClose(): void }) {
  const t = useText(cardText);
  const decide = useDecision(ws, approval);
  const who = useNames(ws)(approval.requester).name;
  const scopes = [
    ...(approval.spaceId === null ? [] : [{ value: 'space' as const, label: t.scopeSpace }]),
    ...(approval.requester.startsWith('agent:')
      ? [{ value: 'agent' as const, label: t.scopeAgent(who) }]
      : []),
    { value: 'workspace' as const, label: t.scopeWorkspace },
  ];
  const [scope, setScope] = useState<'space' | 'agent' | 'workspace'>(scopes[0]?.value ?? 'workspace');
  const make = () =>
    decide.mutate({ decision: 'approved', grant: 'rule', ruleScope: scope }, { onSettled: onClose });
  return (
    <Dialog
      title={t.ruleTitle}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" isPending={decide.isPending} onClick={make}>
            {t.makeRule}
          </Button>
        </>
      }
    >
      <fieldset className={css.form}>
        <legend>
          {t.allowRuleHint}{' '}
          <strong>
            <Effects effects={asked(approval)} />
          </strong>
        </legend>
        {scopes.map(({ value, label }) => (
          <label key={value} className={css.choice}>
            <input type="radio" name="scope" checked={scope === value} onChange={() => setScope(value)} />
            {label}
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}
