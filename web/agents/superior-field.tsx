import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Field } from '../ui/field.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { agentText } from './agent-words.ts';
import { circleOf, type OrgAgent, orgGraph } from './org-graph.ts';

interface SuperiorFieldProps {
  hint?: string | undefined;
  /** The agent whose superior it is; null for one that is not yet there. */
  id: string | null;
  agents: readonly OrgAgent[];
  value: string;
  error: string | null;
  onChange(value: string): void;
}

/** Whom an agent reports to. One that would close a circle can be chosen, so that the reason can be read. */
export function SuperiorField({ hint, id, agents, value, error, onChange }: SuperiorFieldProps) {
  const t = useText(agentText);
  const { cannotChange } = useMe();
  const circle = id === null || value === '' ? null : circleOf(orgGraph(agents), id, value);
  return (
    <Field label={t.reportsTo} hint={hint} error={circle ? t.circle(circle.join(' → ')) : error}>
      {(control) => (
        <select
          {...control}
          disabled={cannotChange !== null}
          name="reportsTo"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{t.nobody}</option>
          {agents
            .filter((agent) => agent.id !== id)
            .toSorted((a, b) => (a.name < b.name ? -1 : 1))
            .map((agent) => (
              <option key={agent.id} value={agent.id}>
                {agent.name} – {visibleText(agent.title)}
              </option>
            ))}
        </select>
      )}
    </Field>
  );
}
