import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { FormError } from '../shell/form-error.tsx';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/notices.tsx';
import css from './agent.module.css';
import { hireAgent } from './agent-data.ts';
import { AgentFields } from './agent-fields.tsx';
import { AGENT_FIELDS, type AgentForm, differing, EMPTY_FORM, fieldsOf, noNumbers } from './agent-form.ts';
import { agentText } from './agent-words.ts';
import { CannotChange } from './cannot-change.tsx';
import { formText } from './form-text.ts';
import { useFaultFocus } from './use-fault-focus.ts';

const words = texts(
  { what: 'Fill in what you know; everything but name and job title can be left for later.' },
  { what: 'Remplissez ce que vous savez\u202f; tout sauf le nom et la fonction peut attendre.' },
);

/** An unnamed agent to fill in. `?reportsTo=` in the address names whom it will report to. */
export function NewAgent({ ws }: { ws: string }) {
  const t = useText(formText);
  const own = useText(words);
  const common = useText(agentText);
  const { cannotChange } = useMe();
  const [params] = useSearchParams();
  const [form, setForm] = useState<AgentForm>({ ...EMPTY_FORM, reportsTo: params.get('reportsTo') ?? '' });
  const [key] = useState(() => crypto.randomUUID());
  const [, navigate] = useLocation();
  const fields = useRef<HTMLFormElement>(null);
  const hire = useMutation({
    mutationFn: () => hireAgent(ws, fieldsOf(form, filled(form)), key),
    onSuccess: ({ id, name }) => {
      notify(t.created(name));
      navigate(`/agents/${id}`, { replace: true });
    },
  });
  useFaultFocus(fields, hire.error);
  const reason =
    cannotChange ??
    (form.name.trim() === ''
      ? t.needsName
      : form.title.trim() === ''
        ? t.needsTitle
        : noNumbers(form).length > 0
          ? t.mendFirst
          : null);
  const create = () => reason === null && !hire.isPending && hire.mutate();
  useKeys([{ keys: '$mod+s', label: t.create, group: common.agents, inFields: true, run: create }]);
  return (
    <div className={css.screen}>
      <header className={css.head}>
        <nav aria-label={common.agents}>
          <Link href="/agents">{common.agents}</Link>
          <span aria-hidden="true"> / </span>
        </nav>
        <h1>{common.newAgent}</h1>
      </header>
      <form
        ref={fields}
        className={css.form}
        aria-label={common.newAgent}
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <CannotChange />
        <p className={css.soft}>{own.what}</p>
        <AgentFields
          ws={ws}
          id={null}
          form={form}
          error={hire.error}
          onChange={(part) => setForm((before) => ({ ...before, ...part }))}
        />
        <FormError error={hire.error} />
        <footer className={css.bar}>
          <Link href="/agents" className={css.leave}>
            {common.cancel}
          </Link>
          <Button kind="primary" type="submit" disabledReason={reason} isPending={hire.isPending}>
            {t.create}
          </Button>
        </footer>
      </form>
    </div>
  );
}

/** Those that say something, and the two that every agent has. */
function filled(form: AgentForm) {
  const said = new Set(differing(EMPTY_FORM, form));
  return AGENT_FIELDS.filter((field) => said.has(field) || field === 'name' || field === 'title');
}
