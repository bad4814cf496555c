import { useQuery } from '@tanstack/react-query';
import { useText } from '../i18n/text.ts';
import { agentsQuery } from '../shell/shell-queries.ts';
import css from './agent.module.css';
import type { AgentField, AgentForm } from './agent-form.ts';
import { agentText } from './agent-words.ts';
import { formText } from './form-text.ts';

/** A field's value for people to read. */
export function FieldValue({ ws, field, form }: { ws: string; field: AgentField; form: AgentForm }) {
  const t = useText(formText);
  const common = useText(agentText);
  const agents = useQuery(agentsQuery(ws)).data?.items;
  const value = form[field];
  if (field === 'reportsTo')
    return (
      <span>
        {agents?.find(({ id }) => id === value)?.name ?? (value === '' ? common.nobody : String(value))}
      </span>
    );
  const text = typeof value === 'string' ? value : value.join(', ');
  if (text === '') return <span className={css.soft}>{t.unset}</span>;
  return <span className={css.value}>{text}</span>;
}
