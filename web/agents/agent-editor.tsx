import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Agent } from '../../services/spaces/agents/schema.ts';
import { useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { FormError } from '../shell/form-error.tsx';
import { agentsQuery } from '../shell/shell-queries.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import css from './agent.module.css';
import { AgentConflict } from './agent-conflict.tsx';
import { AgentDiff } from './agent-diff.tsx';
import { AgentFields } from './agent-fields.tsx';
import { type AgentForm, noNumbers } from './agent-form.ts';
import { agentText } from './agent-words.ts';
import { formText } from './form-text.ts';
import { circleOf, orgGraph } from './org-graph.ts';
import { isStale, useAgentForm } from './use-agent-form.ts';
import { useFaultFocus } from './use-fault-focus.ts';

/** An agent's settings: typed freely, looked at as a whole, then saved at once. */
export function AgentEditor({ ws, agent }: { ws: string; agent: Agent }) {
  const t = useText(formText);
  const common = useText(agentText);
  const { cannotChange } = useMe();
  const editing = useAgentForm(ws, agent);
  const { saved, form, changed, conflicts, error } = editing;
  const [isReviewing, setReviewing] = useState(false);
  const fields = useRef<HTMLFormElement>(null);
  const obstacle = useObstacle(ws, agent.id, form);
  const reason = cannotChange ?? (conflicts.length > 0 ? t.choose : obstacle);
  const review = () => reason === null && changed.length > 0 && setReviewing(true);
  useKeys([{ keys: '$mod+s', label: t.review, group: common.agents, inFields: true, run: review }]);
  useUnloadGuard(changed.length > 0);
  useFaultFocus(fields, error, isReviewing);
  const save = () => editing.save(() => setReviewing(false));
  return (
    <form
      ref={fields}
      className={css.form}
      aria-label={common.settings}
      onSubmit={(event) => {
        event.preventDefault();
        review();
      }}
    >
      {conflicts.length > 0 ? (
        <AgentConflict
          key={conflicts.join()}
          ws={ws}
          fields={conflicts}
          theirs={saved}
          mine={form}
          isRefused={isStale(error)}
          onSettle={editing.settle}
        />
      ) : null}
      <AgentFields ws={ws} id={agent.id} form={form} error={error} onChange={editing.change} />
      <FormError error={isStale(error) ? (conflicts.length > 0 ? null : new Error(t.refused)) : error} />
      {changed.length > 0 ? (
        <footer className={css.bar}>
          <span role="status">
            {t.changes(changed.length)}: {changed.map((field) => t.fields[field]).join(', ')}
          </span>
          <Button kind="quiet" onClick={editing.discard}>
            {t.discard}
          </Button>
          <Button kind="primary" type="submit" disabledReason={reason}>
            {t.review}
          </Button>
        </footer>
      ) : null}
      {isReviewing ? (
        <AgentDiff
          ws={ws}
          before={saved}
          after={form}
          changed={changed}
          isSaving={editing.isSaving}
          onSave={save}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </form>
  );
}

/** What has to be mended before the server can be asked. */
function useObstacle(ws: string, id: string, form: AgentForm): string | null {
  const t = useText(formText);
  const agents = useQuery(agentsQuery(ws)).data?.items ?? [];
  if (form.name.trim() === '') return t.needsName;
  if (form.title.trim() === '') return t.needsTitle;
  const isCircle = form.reportsTo !== '' && circleOf(orgGraph(agents), id, form.reportsTo) !== null;
  return noNumbers(form).length > 0 || isCircle ? t.mendFirst : null;
}

/** The browser asks before it closes a tab with unsaved changes. */
function useUnloadGuard(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const guard = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', guard);
    return () => removeEventListener('beforeunload', guard);
  }, [isDirty]);
}
