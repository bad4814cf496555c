import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { Proposal, ProposedTicket } from '../../core-wasm/core.ts';
import { texts, useText } from '../i18n/text.ts';
import { IconButton } from '../ui/button.tsx';
import { impliedNeeds, type NeedRefusal, needRefusals, stepKeyOf } from './draft-edits.ts';
import { focusInstead } from './focus-field.ts';
import css from './inspector.module.css';
import { useDesk } from './plan-screen-context.ts';
import { usePlanUrl } from './plan-screen-url.ts';

const words = texts(
  {
    needs: 'Depends on',
    none: 'No other sub-ticket.',
    add: 'Add a dependency',
    placeholder: 'Type to find a sub-ticket',
    implied: (title: string) => `already through “${title}”`,
    remove: (title: string) => `No longer depend on ${title}`,
    nothing: 'No sub-ticket matches.',
    more: (n: number) => `${n} more: type to narrow down.`,
    refusals: {
      self: 'this sub-ticket itself',
      already: 'already a dependency',
      cycle: (path: string) => `would go in a circle: ${path}`,
    },
    added: (title: string) => `Depends on ${title} now.`,
  },
  {
    needs: 'Dépend de',
    none: 'Aucun autre sous-ticket.',
    add: 'Ajouter une dépendance',
    placeholder: 'Tapez pour trouver un sous-ticket',
    implied: (title: string) => `déjà par « ${title} »`,
    remove: (title: string) => `Ne plus dépendre de ${title}`,
    nothing: 'Aucun sous-ticket ne correspond.',
    more: (n: number) => `${n} de plus : précisez votre recherche.`,
    refusals: {
      self: 'ce sous-ticket lui-même',
      already: 'déjà une dépendance',
      cycle: (path: string) => `formerait un cercle : ${path}`,
    },
    added: (title: string) => `Dépend maintenant de ${title}.`,
  },
);

const SHOWN = 40;

interface NeedsProps {
  proposal: Proposal;
  ticket: ProposedTicket;
  isEditable: boolean;
  error: string | null;
}

/** What a sub-ticket depends on, each with a way there and a way out; more are found by typing. */
export function Needs({ proposal, ticket, isEditable, error }: NeedsProps) {
  const t = useText(words);
  const { actions, saver } = useDesk();
  const { go } = usePlanUrl();
  const titles = useMemo(() => new Map(proposal.tickets.map(({ key, title }) => [key, title])), [proposal]);
  const titleOf = (key: string) => titles.get(key) ?? key;
  const implied = useMemo(() => impliedNeeds(proposal, ticket), [proposal, ticket]);
  const listField = `${stepKeyOf(ticket.key)} needs list`;
  const change = (needs: string[]) => {
    actions.edit(ticket.key, { needs });
    void saver.flush();
  };
  return (
    <section className={css.block} aria-label={t.needs}>
      <h3 tabIndex={-1} data-field={listField}>
        {t.needs}
      </h3>
      {ticket.needs.length === 0 ? <p className={css.soft}>{t.none}</p> : null}
      <ul className={css.needs}>
        {ticket.needs.map((need) => (
          <li key={need}>
            <span>
              <button type="button" className={css.link} onClick={() => go({ node: stepKeyOf(need) })}>
                {titleOf(need)}
              </button>{' '}
              {implied.has(need) ? (
                <small className={css.soft}>{t.implied(titleOf(implied.get(need)!))}</small>
              ) : null}
            </span>
            {isEditable ? (
              <IconButton
                label={t.remove(titleOf(need))}
                icon={<X size={14} aria-hidden />}
                onClick={() => {
                  change(ticket.needs.filter((one) => one !== need));
                  focusInstead(listField);
                }}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {error ? (
        <p className={css.error} role="alert">
          {error}
        </p>
      ) : null}
      {isEditable ? (
        <AddNeed {...{ proposal, ticket }} onAdd={(need) => change([...ticket.needs, need])} />
      ) : null}
    </section>
  );
}

interface Option {
  key: string;
  title: string;
  refusal: NeedRefusal | null;
}

interface AddProps {
  proposal: Proposal;
  ticket: ProposedTicket;
  onAdd(need: string): void;
}

/** A combobox over the other sub-tickets; those that cannot be chosen are there with the reason. */
function AddNeed({ proposal, ticket, onAdd }: AddProps) {
  const t = useText(words);
  const id = useId();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) list.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const options = useOptions(proposal, ticket.key, text);
  const shown = options.slice(0, SHOWN);
  const active = isOpen ? shown[Math.min(at, shown.length - 1)] : undefined;
  const choose = ({ key, title, refusal }: Option) => {
    if (refusal) return;
    onAdd(key);
    setText('');
    setAt(0);
    setSaid(t.added(title));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (isOpen) setAt((shown.length + at + step) % Math.max(1, shown.length));
      setOpen(true);
    } else if (event.key === 'Enter' && active) {
      event.preventDefault();
      choose(active);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div className={css.combo}>
      <label htmlFor={id}>{t.add}</label>
      <input
        id={id}
        role="combobox"
        autoComplete="off"
        placeholder={t.placeholder}
        value={text}
        data-field={`${stepKeyOf(ticket.key)} needs`}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={active ? `${id}-${active.key}` : undefined}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={t.add}
        className={css.options}
        hidden={!isOpen}
      >
        {shown.map((option) => (
          <div
            key={option.key}
            id={`${id}-${option.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={option === active}
            aria-disabled={option.refusal !== null || undefined}
            onPointerDown={(event) => {
              event.preventDefault();
              choose(option);
            }}
          >
            <span>{option.title}</span>
            {option.refusal ? <small>{refusalText(t, option.refusal)}</small> : null}
          </div>
        ))}
      </div>
      {isOpen && shown.length === 0 ? <p className={css.soft}>{t.nothing}</p> : null}
      {isOpen && options.length > SHOWN ? <p className={css.soft}>{t.more(options.length - SHOWN)}</p> : null}
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </div>
  );
}

/** What the text finds by title or key; what can be chosen comes first. */
function useOptions(proposal: Proposal, key: string, text: string): Option[] {
  const refusals = useMemo(() => needRefusals(proposal, key), [proposal, key]);
  return useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const found = proposal.tickets
      .filter((one) => one.title.toLowerCase().includes(wanted) || one.key.includes(wanted))
      .map((one) => ({ key: one.key, title: one.title, refusal: refusals.get(one.key) ?? null }));
    return [...found.filter(({ refusal }) => !refusal), ...found.filter(({ refusal }) => refusal)];
  }, [proposal, text, refusals]);
}

function refusalText(t: (typeof words)['en'], refusal: NeedRefusal): string {
  if (refusal.kind !== 'cycle') return t.refusals[refusal.kind];
  const { path } = refusal;
  const shown = path.length > 5 ? [...path.slice(0, 2), '…', ...path.slice(-2)] : path;
  return t.refusals.cycle(shown.join(' → '));
}
