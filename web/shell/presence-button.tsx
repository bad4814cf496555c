import { Suspense, useId, useRef, useState } from 'react';
import { plural, texts, useText } from '../i18n/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { lazyPart } from './lazy-part.ts';
import { PartBoundary } from './part-boundary.tsx';
import css from './presence-button.module.css';
import { isAtWork } from './presence-items.ts';
import { usePresence } from './presence-store.ts';
import { useMe } from './use-me.ts';

const PresenceList = lazyPart('presence-list', () => import('./presence-list.tsx'));

const words = texts(
  {
    unknown: 'Who is here is not known yet',
    here: (people: number, agents: number) =>
      `${plural(people, 'person', 'people')} here, ${plural(agents, 'agent', 'agents')} at work: show who`,
    alone: 'Only you are here',
    title: 'Who is here',
  },
  {
    unknown: 'On ne sait pas encore qui est là',
    here: (people: number, agents: number) =>
      `${plural(people, 'personne', 'personnes')} ici, ${plural(agents, 'agent', 'agents')} au travail : voir qui`,
    alone: 'Personne d’autre ici',
    title: 'Qui est là',
  },
);

const MOST_FACES = 4;

/** The faces of those who are here and of agents at work; opens the list of everybody. */
export function PresenceButton() {
  const t = useText(words);
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { actor } = useMe();
  const items = usePresence((state) => state.items);
  const people = items?.filter((item) => item.kind === 'person') ?? [];
  const working = items?.filter((item) => item.kind === 'agent').filter(isAtWork) ?? [];
  const faces = [...people.filter((person) => person.actor !== actor), ...working];
  return (
    <>
      <button ref={opener} type="button" className={css.opener} popoverTarget={id} aria-expanded={isOpen}>
        {faces.slice(0, MOST_FACES).map((face) => (
          <span key={face.actor} className={face.kind === 'agent' ? css.working : undefined}>
            <Avatar name={face.name} kind={face.kind} />
          </span>
        ))}
        {faces.length > MOST_FACES ? <span className={css.more}>+{faces.length - MOST_FACES}</span> : null}
        {faces.length === 0 && items !== null ? <span className={css.more}>{t.alone}</span> : null}
        <span className="visually-hidden">
          {items === null ? t.unknown : t.here(people.length, working.length)}
        </span>
      </button>
      <section
        ref={panel}
        id={id}
        popover="auto"
        aria-label={t.title}
        className={css.panel}
        // Before it is shown, so that it is never seen elsewhere.
        onBeforeToggle={(event) => {
          setOpen(event.newState === 'open');
          place(panel.current, opener.current);
        }}
      >
        <h2>{t.title}</h2>
        {isOpen ? (
          <PartBoundary place="presence">
            <Suspense>
              <PresenceList items={items ?? []} onLeave={() => panel.current?.hidePopover()} />
            </Suspense>
          </PartBoundary>
        ) : null}
      </section>
    </>
  );
}

/** Above the button, which stands at the foot of the sidebar's left side. */
function place(panel: HTMLElement | null, opener: HTMLElement | null): void {
  if (!panel || !opener) return;
  const { left, top } = opener.getBoundingClientRect();
  panel.style.left = `${Math.max(8, left)}px`;
  panel.style.bottom = `${Math.max(8, innerHeight - top + 4)}px`;
}
