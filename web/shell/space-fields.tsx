import { useText } from '../i18n/text.ts';
import { Field } from '../ui/field.tsx';
import { AgentChoice } from './agent-choice.tsx';
import { ChoiceList } from './choice-list.tsx';
import { faultAt } from './faults.ts';
import { firstFocus } from './first-focus.ts';
import type { EditableSpace } from './space-draft.ts';
import css from './space-fields.module.css';
import { spaceText } from './space-text.ts';

interface SpaceFieldsProps<D extends EditableSpace> {
  ws: string;
  draft: D;
  onChange(change: Partial<EditableSpace>): void;
  /** What the server had against the draft. */
  error: unknown;
  nameFault: string | null;
  /** Between the agents and what needs a word. */
  children?: React.ReactNode;
}

const MODES = ['chat', 'plan', 'orchestrate'] as const;
const AUTONOMIES = ['proposeOnly', 'actWithApproval', 'actFreely'] as const;
const WHEN_NOBODY = ['refuse', 'wait'] as const;

/** The fields that new and known spaces share. */
export function SpaceFields<D extends EditableSpace>({
  ws,
  draft,
  onChange,
  error,
  nameFault,
  children,
}: SpaceFieldsProps<D>) {
  const t = useText(spaceText);
  const modes = draft.mode === 'review' ? (['review'] as const) : MODES;
  const choices = <T extends string>(values: readonly T[], text: Record<T, readonly string[]>) =>
    values.map((value) => ({ value, label: text[value][0] ?? value, hint: text[value][1] }));
  return (
    <div className={css.fields}>
      <Field label={t.name} error={nameFault ?? faultAt(error, 'name')}>
        {(control) => (
          <input
            {...control}
            ref={firstFocus}
            value={draft.name}
            maxLength={300}
            autoComplete="off"
            onChange={({ target }) => onChange({ name: target.value })}
          />
        )}
      </Field>
      <ChoiceList
        legend={t.mode}
        value={draft.mode}
        choices={choices(modes, t.modes)}
        onChoose={(mode) => onChange({ mode })}
      />
      <AgentChoice ws={ws} chosen={draft.agents} onChange={(agents) => onChange({ agents })} />
      {children}
      <details className={css.rules}>
        <summary>
          {t.rules}
          <span className={css.now}>
            {t.autonomies[draft.autonomy][0]} · {t.whenNobodies[draft.whenNobody][0]}
          </span>
        </summary>
        <ChoiceList
          legend={t.autonomy}
          value={draft.autonomy}
          choices={choices(AUTONOMIES, t.autonomies)}
          onChoose={(autonomy) => onChange({ autonomy })}
        />
        <ChoiceList
          legend={t.whenNobody}
          value={draft.whenNobody}
          choices={choices(WHEN_NOBODY, t.whenNobodies)}
          onChoose={(whenNobody) => onChange({ whenNobody })}
        />
      </details>
    </div>
  );
}
