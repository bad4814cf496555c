import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { Proposal, ProposedTicket } from '../../core-wasm/core.ts';
import { plural, texts, useText } from '../i18n/text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { dependentsOf, rolesFor, stepKeyOf, type TicketFields } from './draft-edits.ts';
import { focusInstead } from './focus-field.ts';
import css from './inspector.module.css';
import { NodeEstimateFacts } from './inspector-estimate.tsx';
import { InspectorHead } from './inspector-head.tsx';
import { Needs } from './inspector-needs.tsx';
import { References } from './inspector-references.tsx';
import { SchemaField } from './inspector-schema.tsx';
import { StepFacts } from './inspector-step.tsx';
import { useDesk, useDraft } from './plan-screen-context.ts';
import { usePlanUrl } from './plan-screen-url.ts';

const words = texts(
  {
    title: 'Title',
    description: 'Description',
    descriptionHint: 'What the agent is to do, in Markdown.',
    role: 'Role',
    remove: 'Delete sub-ticket',
    removeTitle: (title: string) => `Delete “${title}”?`,
    breaks: (n: number) =>
      `${plural(n, 'sub-ticket depends', 'sub-tickets depend')} on it and would start without its result:`,
    breaksNone: 'No other sub-ticket depends on it.',
    undoable: 'You can undo this.',
    last: 'A plan has at least one sub-ticket',
    close: 'Close',
    keep: 'Keep it',
  },
  {
    title: 'Titre',
    description: 'Description',
    descriptionHint: 'Ce que l’agent doit faire, en Markdown.',
    role: 'Rôle',
    remove: 'Supprimer le sous-ticket',
    removeTitle: (title: string) => `Supprimer « ${title} » ?`,
    breaks: (n: number) =>
      `${plural(n, 'sous-ticket en dépend', 'sous-tickets en dépendent')} et commencerait sans son résultat :`,
    breaksNone: 'Aucun autre sous-ticket n’en dépend.',
    undoable: 'Vous pourrez annuler.',
    last: 'Un plan a au moins un sous-ticket',
    close: 'Fermer',
    keep: 'Le garder',
  },
);

interface TicketProps {
  proposal: Proposal;
  ticket: ProposedTicket;
  isEditable: boolean;
}

/** The five fields of a sub-ticket that a person may change, its deletion, and what is known of it. */
export function InspectorTicket({ proposal, ticket, isEditable }: TicketProps) {
  const t = useText(words);
  const { actions, saver } = useDesk();
  const faultOf = useFaults(proposal, ticket);
  const edit = (fields: Partial<TicketFields>) => actions.edit(ticket.key, fields);
  const save = () => void saver.flush();
  const readOnly = !isEditable;
  return (
    <div className={css.inspector}>
      <InspectorHead title={ticket.title}>
        <Badge>{ticket.key}</Badge>
      </InspectorHead>
      <StepFacts stepKey={stepKeyOf(ticket.key)} ticketKey={ticket.key} />
      <NodeEstimateFacts proposal={proposal} stepKey={stepKeyOf(ticket.key)} role={ticket.role} />
      <Field label={t.title} error={faultOf('title')}>
        {(control) => (
          <input
            {...control}
            data-field={`${stepKeyOf(ticket.key)} title`}
            readOnly={readOnly}
            maxLength={300}
            value={ticket.title}
            onChange={(event) => edit({ title: event.target.value })}
            onBlur={save}
          />
        )}
      </Field>
      <Field
        label={t.description}
        hint={readOnly ? undefined : t.descriptionHint}
        error={faultOf('description')}
      >
        {(control) => (
          <textarea
            {...control}
            className={css.description}
            rows={6}
            readOnly={readOnly}
            value={ticket.description}
            onChange={(event) => edit({ description: event.target.value })}
            onBlur={save}
          />
        )}
      </Field>
      <Field label={t.role} error={faultOf('role')}>
        {(control) => (
          <select
            {...control}
            disabled={readOnly}
            value={ticket.role}
            onChange={(event) => edit({ role: event.target.value })}
            onBlur={save}
          >
            {rolesFor(proposal, ticket.role).map(({ key, title }) => (
              <option key={key} value={key}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Needs {...{ proposal, ticket, isEditable }} error={faultOf('needs')} />
      <SchemaField {...{ ticket, isEditable }} error={faultOf('outputSchema')} />
      <References ticket={ticket} />
      {isEditable ? <Deletion proposal={proposal} ticket={ticket} /> : null}
    </div>
  );
}

/** What the core finds wrong with a field, by the paths of its faults. */
function useFaults(
  proposal: Proposal,
  { key }: ProposedTicket,
): (field: keyof TicketFields) => string | null {
  const faults = useDraft((state) => state.faults);
  const at = `tickets[${proposal.tickets.findIndex((one) => one.key === key)}].`;
  return (field) => faults.find(({ path }) => path.startsWith(at + field))?.message ?? null;
}

/** Deleting says first what it breaks. */
function Deletion({ proposal, ticket }: { proposal: Proposal; ticket: ProposedTicket }) {
  const t = useText(words);
  const id = useId();
  const { actions, saver } = useDesk();
  const { go } = usePlanUrl();
  const [isAsking, setAsking] = useState(false);
  const dependents = dependentsOf(proposal, ticket.key);
  const close = () => setAsking(false);
  const remove = () => {
    close();
    actions.remove(ticket.key);
    go({ node: null });
    focusInstead('panel');
    void saver.flush();
  };
  return (
    <div className={css.deletion}>
      <Button
        kind="danger"
        disabledReason={proposal.tickets.length === 1 ? t.last : null}
        onClick={() => setAsking(true)}
      >
        <Trash2 size={15} aria-hidden /> {t.remove}
      </Button>
      {isAsking ? (
        <Dialog
          title={t.removeTitle(ticket.title)}
          closeLabel={t.close}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{t.keep}</Button>
              <Button kind="danger" aria-describedby={id} onClick={remove}>
                {t.remove}
              </Button>
            </>
          }
        >
          <div id={id} className={css.breaks}>
            <p>{dependents.length > 0 ? t.breaks(dependents.length) : t.breaksNone}</p>
            <ul>
              {dependents.map(({ key, title }) => (
                <li key={key}>{title}</li>
              ))}
            </ul>
            <p>{t.undoable}</p>
          </div>
        </Dialog>
      ) : null}
    </div>
  );
}
