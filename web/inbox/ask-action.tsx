import { useId, useState } from 'react';
import type { RuleScope } from '../../core-wasm/core.ts';
import type { ApprovalArguments, NewDecision } from '../../services/spaces/approvals/schema.ts';
import { effectText } from '../conversation/cards/text.ts';
import { useText } from '../i18n/text.ts';
import { AskActions } from './ask-actions.tsx';
import type { AskProps } from './ask-panel.tsx';
import { askText } from './ask-text.ts';
import { AskedAction } from './asked-action.tsx';
import css from './preview.module.css';

type Grant = NonNullable<NewDecision['grant']>;

/** A call that waits for a word: what exactly, why it asks, and how far a yes reaches. */
export function AskAction({ approval, deciding }: AskProps) {
  const t = useText(askText);
  const [grant, setGrant] = useState<Grant>('once');
  const [scope, setScope] = useState<RuleScope>(approval.spaceId === null ? 'workspace' : 'space');
  const allow = () =>
    deciding.decide({ decision: 'approved', grant, ...(grant === 'rule' && { ruleScope: scope }) });
  const refuse = (reason: string) =>
    deciding.decide({ decision: 'refused', ...(reason !== '' && { reason }) });
  return (
    <>
      <div className={css.body}>
        {approval.status === 'unattended' ? <p className={css.warning}>{t.unattended}</p> : null}
        <AskedAction approval={approval} />
        <Reach approval={approval} grant={grant} onGrant={setGrant} scope={scope} onScope={setScope} />
      </div>
      <AskActions
        approval={approval}
        deciding={deciding}
        yes={{ label: { once: t.allow, run: t.allowRun, rule: t.allowRule }[grant], run: allow }}
        refusals={[
          {
            ...{ label: t.refuse, verb: t.refuseNow, hint: t.reasonHint, needed: null },
            ...{ tone: 'danger', send: refuse },
          },
        ]}
      />
    </>
  );
}

interface ReachProps {
  approval: AskProps['approval'];
  grant: Grant;
  onGrant(grant: Grant): void;
  scope: RuleScope;
  onScope(scope: RuleScope): void;
}

/** Once, for the run, or by a rule; each says what it allows. */
function Reach({ approval, grant, onGrant, scope, onScope }: ReachProps) {
  const t = useText(askText);
  const effects = useText(effectText);
  const name = useId();
  const { asked = [] } = approval.arguments as unknown as ApprovalArguments['action'];
  const named = asked.map((effect) => effects[effect] ?? effect).join(', ');
  const choices = [
    { value: 'once' as const, label: t.once, hint: t.onceHint },
    ...(approval.runId === null ? [] : [{ value: 'run' as const, label: t.run, hint: t.runHint }]),
    ...(asked.length === 0 ? [] : [{ value: 'rule' as const, label: t.rule, hint: t.ruleHint(named) }]),
  ];
  return (
    <fieldset className={css.choices}>
      <legend>{t.reach}</legend>
      {choices.map(({ value, label, hint }) => (
        <label key={value} className={css.choice}>
          <input type="radio" name={name} checked={grant === value} onChange={() => onGrant(value)} />
          <span>
            {label}
            <span className={css.choiceHint}>{hint}</span>
          </span>
        </label>
      ))}
      {grant === 'rule' ? <ScopeSelect approval={approval} scope={scope} onScope={onScope} /> : null}
    </fieldset>
  );
}

function ScopeSelect({ approval, scope, onScope }: Pick<ReachProps, 'approval' | 'scope' | 'onScope'>) {
  const t = useText(askText);
  const id = useId();
  const { spaceName, agentName } = approval;
  return (
    <div className={css.scope}>
      <label htmlFor={id}>{t.scope}</label>
      <select id={id} value={scope} onChange={({ target }) => onScope(target.value as RuleScope)}>
        {spaceName === null ? null : <option value="space">{t.scopeSpace(spaceName)}</option>}
        {agentName === null ? null : <option value="agent">{t.scopeAgent(agentName)}</option>}
        <option value="workspace">{t.scopeWorkspace}</option>
      </select>
    </div>
  );
}
