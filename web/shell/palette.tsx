import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { Bot, CornerDownLeft, Inbox, MessageSquare, Workflow } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { ShownSpace } from '../../services/spaces/spaces/schema.ts';
import { plural, texts, useText } from '../i18n/text.ts';
import { Keys } from '../keys/keys.tsx';
import { type KeyBinding, useKeyBindings } from '../keys/registry.ts';
import { useModal } from '../ui/use-modal.ts';
import { findScore } from './find.ts';
import { firstFocus } from './first-focus.ts';
import css from './palette.module.css';
import { placeText } from './place-text.ts';
import { agentsQuery, inboxQuery, plansQuery, spacesQuery } from './shell-queries.ts';
import { usePaletteActions } from './use-palette-actions.ts';

const words = texts(
  {
    name: 'Search, or do something',
    placeholder: 'Find a place, or what to do…',
    nothing: 'Nothing is called that.',
    inbox: 'Waiting for you',
    spaces: 'Spaces',
    actions: 'Do',
    found: (n: number) => plural(n, 'result', 'results'),
  },
  {
    name: 'Chercher, ou agir',
    placeholder: 'Chercher un lieu, ou que faire…',
    nothing: 'Rien ne porte ce nom.',
    inbox: 'Vous attendent',
    spaces: 'Espaces',
    actions: 'Agir',
    found: (n: number) => plural(n, 'résultat', 'résultats'),
  },
);

/** Keys that walk through a list are no commands of their own. */
const WALKS = /^(Arrow|Home|End|Page|Enter|Escape|Tab|Space|Delete|[jk0-9]$|\$mod\+k$)/;

/** How many of a kind are shown before something is looked for. */
const FEW = 6;

/** Finds every place of the workspace and everything that can be done now, by name. */
export default function Palette({ ws, onClose }: { ws: string; onClose(): void }) {
  const t = useText(words);
  const places = useText(placeText);
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog);
  const [, navigate] = useLocation();
  const [bindings] = useState(bindingsNow);
  const actions = usePaletteActions(bindings);
  const inbox = useQuery(inboxQuery(ws)).data?.items ?? [];
  const [query, setQuery] = useState('');
  // Before anything is looked for, the first few of each leave what can be done in sight.
  const some = <T,>(items: readonly T[] | undefined): readonly T[] =>
    query === '' ? (items ?? []).slice(0, FEW) : (items ?? []);
  const spaces = some(useQuery(spacesQuery(ws)).data?.items.toSorted(lastSpokenIn));
  const agents = some(useQuery(agentsQuery(ws)).data?.items);
  const plans = some(useQuery(plansQuery(ws)).data?.items);
  const go = (path: string) => () => {
    onClose();
    navigate(path);
  };
  /** After the focus went back to where it was: what is done there may depend on it. */
  const perform = (run: () => void) => () => {
    onClose();
    setTimeout(run);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too; the click is on the backdrop
    <dialog
      ref={dialog}
      className={css.palette}
      aria-label={t.name}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <Command
        label={t.name}
        loop
        filter={(_value, query, names) => findScore((names ?? []).join(' '), query)}
      >
        <Command.Input
          className={css.input}
          placeholder={t.placeholder}
          ref={firstFocus}
          value={query}
          onValueChange={setQuery}
        />
        <Command.List className={css.list} label={t.name}>
          <Command.Empty className={css.nothing}>{t.nothing}</Command.Empty>
          <Group heading={t.inbox}>
            {inbox.slice(0, 20).map(({ id, subject, agentName }) => (
              <Entry
                key={id}
                id={id}
                name={firstLine(subject)}
                hint={agentName}
                icon={<Inbox size={15} aria-hidden />}
                onSelect={go(`/inbox/${id}`)}
              />
            ))}
          </Group>
          <Group heading={t.spaces}>
            {spaces.map(({ id, name }) => (
              <Entry
                key={id}
                id={id}
                name={name}
                icon={<MessageSquare size={15} aria-hidden />}
                onSelect={go(`/spaces/${id}`)}
              />
            ))}
          </Group>
          <Group heading={places.plans}>
            {plans.map(({ id, kind, goal }) => (
              <Entry
                key={id}
                id={id}
                name={goal}
                icon={<Workflow size={15} aria-hidden />}
                onSelect={go(`/plans/${kind}/${id}`)}
              />
            ))}
          </Group>
          <Group heading={places.agents}>
            {agents.map(({ id, name, title }) => (
              <Entry
                key={id}
                id={id}
                name={name}
                hint={title}
                icon={<Bot size={15} aria-hidden />}
                onSelect={go(`/agents/${id}`)}
              />
            ))}
          </Group>
          <Group heading={t.actions}>
            {actions.map(({ id, label, group, keys, run }) => (
              <Entry
                key={id}
                id={id}
                name={label}
                hint={group}
                icon={<CornerDownLeft size={15} aria-hidden />}
                keys={keys}
                onSelect={perform(run)}
              />
            ))}
          </Group>
        </Command.List>
      </Command>
    </dialog>
  );
}

/** What the keys of the screens would do now, before the palette has taken the focus. */
function bindingsNow(): KeyBinding[] {
  const { bindings } = useKeyBindings.getState();
  return bindings.filter(({ keys, when }) => !WALKS.test(keys) && (when?.() ?? true));
}

const lastSpokenIn = (a: ShownSpace, b: ShownSpace) =>
  (b.lastMessageAt ?? b.createdAt) - (a.lastMessageAt ?? a.createdAt);

const firstLine = (text: string) => text.split('\n', 1)[0] ?? text;

function Group({ heading, children }: { heading: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <Command.Group heading={heading} className={css.group}>
      {children}
    </Command.Group>
  );
}

interface EntryProps {
  id: string;
  name: string;
  hint?: string | null;
  icon: ReactNode;
  keys?: string | null;
  onSelect(): void;
}

function Entry({ id, name, hint = null, icon, keys = null, onSelect }: EntryProps) {
  return (
    <Command.Item value={id} keywords={hint ? [name, hint] : [name]} className={css.item} onSelect={onSelect}>
      {icon}
      <span className={css.name}>{name}</span>
      {hint ? <span className={css.hint}>{hint}</span> : null}
      {keys ? <Keys keys={keys} /> : null}
    </Command.Item>
  );
}
