import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useText } from '../i18n/text.ts';
import { faultAt } from '../shell/faults.ts';
import { agentsQuery } from '../shell/shell-queries.ts';
import css from './agent.module.css';
import { type AgentField, type AgentForm, noNumbers } from './agent-form.ts';
import { formText } from './form-text.ts';
import { MarkdownField } from './markdown-field.tsx';
import { ModelFields } from './model-fields.tsx';
import { SkillsField } from './skills-field.tsx';
import { SuperiorField } from './superior-field.tsx';
import { TextField } from './text-field.tsx';

interface AgentFieldsProps {
  ws: string;
  /** Null for an agent that is not yet there. */
  id: string | null;
  form: AgentForm;
  /** What the server refused last; said at the fields it is about. */
  error: unknown;
  onChange(part: Partial<AgentForm>): void;
}

/** Every field of an agent. */
export function AgentFields({ ws, id, form, error, onChange }: AgentFieldsProps) {
  const t = useText(formText);
  const agents = useQuery(agentsQuery(ws)).data?.items ?? [];
  const known = [...new Set(agents.flatMap(({ skills }) => skills))].toSorted();
  const wrong = noNumbers(form);
  const errorOf = (field: AgentField) =>
    (wrong as AgentField[]).includes(field) ? t.wholeNumber : faultAt(error, field);
  const text = (field: Exclude<AgentField, 'skills'>) => ({
    ...{ name: field, label: t.fields[field], error: errorOf(field), value: form[field] },
    hint: (t.hints as Partial<Record<AgentField, string>>)[field] ?? '',
    onChange: (value: string) => onChange({ [field]: value }),
  });
  return (
    <>
      <Group title={t.identity}>
        <div className={css.pair}>
          <TextField {...text('name')} />
          <TextField {...text('title')} />
        </div>
        <SuperiorField {...text('reportsTo')} id={id} agents={agents} />
      </Group>
      <Group title={t.behaviour}>
        <MarkdownField {...text('persona')} />
        <MarkdownField {...text('systemPrompt')} />
        <SkillsField
          skills={form.skills}
          known={known}
          error={errorOf('skills')}
          onChange={(skills) => onChange({ skills })}
        />
      </Group>
      <Group title={t.engine}>
        <ModelFields ws={ws} form={form} errorOf={errorOf} onChange={onChange} />
      </Group>
      <Group title={t.limits}>
        <div className={css.trio}>
          <TextField {...text('contextSize')} inputMode="numeric" />
          <TextField {...text('silenceTimeoutMinutes')} inputMode="numeric" />
          <TextField {...text('maxTurns')} inputMode="numeric" />
        </div>
      </Group>
    </>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={css.group}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}
