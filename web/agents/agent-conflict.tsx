import { useState } from 'react';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import shared from './agent.module.css';
import css from './agent-conflict.module.css';
import type { AgentField, AgentForm } from './agent-form.ts';
import { FieldValue } from './field-value.tsx';
import { formText } from './form-text.ts';

interface AgentConflictProps {
  ws: string;
  fields: readonly AgentField[];
  theirs: AgentForm;
  mine: AgentForm;
  /** Nothing was written: the server has refused it. */
  isRefused: boolean;
  /** @param takeTheirs the fields in which what is saved holds */
  onSettle(takeTheirs: readonly AgentField[]): void;
}

/** Both values of every field that two people changed at once; a choice for each. */
export function AgentConflict({ ws, fields, theirs, mine, isRefused, onSettle }: AgentConflictProps) {
  const t = useText(formText);
  const [taken, setTaken] = useState<readonly AgentField[]>([]);
  return (
    <section role="alert" className={css.conflict}>
      <p>
        {isRefused ? t.refused : t.conflict} {t.chooseEach}
      </p>
      {fields.map((field) => (
        <fieldset key={field}>
          <legend>{t.fields[field]}</legend>
          {(['mine', 'theirs'] as const).map((side) => (
            <label key={side} className={css.side}>
              <input
                type="radio"
                name={`conflict-${field}`}
                checked={taken.includes(field) === (side === 'theirs')}
                onChange={() =>
                  setTaken((before) => [
                    ...before.filter((one) => one !== field),
                    ...(side === 'theirs' ? [field] : []),
                  ])
                }
              />
              <span>
                <span className={shared.soft}>{side === 'mine' ? t.mine : t.theirs}</span>
                <FieldValue ws={ws} field={field} form={side === 'mine' ? mine : theirs} />
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <Button kind="primary" onClick={() => onSettle(taken)}>
        {t.goOn}
      </Button>
    </section>
  );
}
