import { useMemo, useRef } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { texts, useText } from '../i18n/text.ts';
import { useFocus } from '../inbox/focus.ts';
import { usePresence } from '../shell/presence-store.ts';
import { useMe } from '../shell/use-me.ts';
import { Avatar } from '../ui/avatar.tsx';
import { titleOfNode } from './draft-view.ts';
import css from './plan-screen.module.css';
import { useDesk, useProposal } from './plan-screen-context.ts';
import { usePlanUrl } from './plan-screen-url.ts';
import { useStructuralTitles } from './plan-screen-view.ts';
import type { Onlooker } from './plan-view.ts';

const words = texts(
  {
    plan: (name: string) => `${name} is looking at this plan`,
    node: (name: string, title: string) => `${name} is looking at “${title}”`,
  },
  {
    plan: (name: string) => `${name} regarde ce plan`,
    node: (name: string, title: string) => `${name} regarde « ${title} »`,
  },
);

/** Who else looks at the plan and at which node; a click goes there. Lets the others know the same of this person. */
export function PlanOnlookers() {
  const t = useText(words);
  const { ws, detail } = useDesk();
  const { node, go } = usePlanUrl();
  const proposal = useProposal();
  const titles = useStructuralTitles();
  const place = `orchestration:${detail.id}`;
  useFocus(ws, node === null ? place : `${place}/${node}`);
  const people = usePeopleAt(place);
  const items = people.map(({ actor, name, key }) => {
    const title = key === null ? null : titleOfNode(proposal, key, titles);
    return { actor, name, key: title && key, text: title ? t.node(name, title) : t.plan(name) };
  });
  return (
    <ul className={css.onlookers}>
      {items.map(({ actor, name, key, text }) => (
        <li key={actor}>
          {key ? (
            <button type="button" title={text} onClick={() => go({ node: key })}>
              <Who {...{ name, text }} />
            </button>
          ) : (
            <span title={text}>
              <Who {...{ name, text }} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Who({ name, text }: { name: string; text: string }) {
  return (
    <>
      <Avatar name={name} kind="person" />
      <span className="visually-hidden">{text}</span>
    </>
  );
}

/** Who else looks at which node, by key. The list of a node stays the same object while the same people look at it. */
export function useOnlookersByKey(): ReadonlyMap<string, readonly Onlooker[]> {
  const { detail } = useDesk();
  const people = usePeopleAt(`orchestration:${detail.id}`);
  const kept = useRef<ReadonlyMap<string, readonly Onlooker[]>>(new Map());
  return useMemo(() => {
    const now = new Map<string, Onlooker[]>();
    for (const { actor, name, key } of people)
      if (key !== null) now.set(key, [...(now.get(key) ?? []), { actor, name }]);
    kept.current = new Map([...now].map(([key, all]) => [key, sameOr(kept.current.get(key), all)]));
    return kept.current;
  }, [people]);
}

const sameOr = (before: readonly Onlooker[] | undefined, now: readonly Onlooker[]): readonly Onlooker[] =>
  before && JSON.stringify(before) === JSON.stringify(now) ? before : now;

/** The others who look at the plan, each with the node they came to last, or null. */
function usePeopleAt(place: string): { actor: string; name: string; key: string | null }[] {
  const { actor: me } = useMe();
  const people = usePresence(
    useShallow(({ items }) => (items ?? []).filter((item) => item.kind === 'person' && item.actor !== me)),
  );
  return useMemo(
    () =>
      people.flatMap((person) => {
        if (person.kind !== 'person') return [];
        const seen = person.focus.filter((one) => one === place || one.startsWith(`${place}/`)).at(-1);
        if (seen === undefined) return [];
        const { actor, name } = person;
        return [{ actor, name, key: seen === place ? null : seen.slice(place.length + 1) }];
      }),
    [people, place],
  );
}
