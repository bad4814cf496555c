import { Link } from 'wouter';
import type { PresenceItem } from '../../services/spaces/presence/presence-list.ts';
import { texts, useText } from '../i18n/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Status } from '../ui/status.tsx';
import type { AgentHere, PersonHere } from './presence-items.ts';
import css from './presence-list.module.css';
import { activityOf, activityText } from './presence-words.ts';
import { useMe } from './use-me.ts';

const words = texts(
  {
    people: 'People',
    agents: 'Agents',
    you: 'you',
    decides: 'Can decide',
    looks: 'Looks on',
  },
  { people: 'Personnes', agents: 'Agents', you: 'vous', decides: 'Peut décider', looks: 'Regarde' },
);

/** Everybody: people who follow the workspace, then agents with what they are about. */
export default function PresenceList({
  items,
  onLeave,
}: {
  items: readonly PresenceItem[];
  onLeave(): void;
}) {
  const t = useText(words);
  const people = items.filter((item) => item.kind === 'person');
  const agents = items.filter((item) => item.kind === 'agent');
  return (
    <>
      <h3 className="visually-hidden">{t.people}</h3>
      <ul className={css.list}>
        {people.map((person) => (
          <Person key={person.actor} person={person} />
        ))}
      </ul>
      <h3 className={css.heading}>{t.agents}</h3>
      <ul className={css.list}>
        {agents.map((agent) => (
          <Agent key={agent.actor} agent={agent} onLeave={onLeave} />
        ))}
      </ul>
    </>
  );
}

function Person({ person }: { person: PersonHere }) {
  const t = useText(words);
  const { actor } = useMe();
  return (
    <li className={css.row}>
      <Avatar name={person.name} kind="person" />
      <span className={css.name}>
        {person.name} {person.actor === actor ? <span className={css.soft}>({t.you})</span> : null}
      </span>
      <Status status="done" label={person.decides ? t.decides : t.looks} />
    </li>
  );
}

function Agent({ agent, onLeave }: { agent: AgentHere; onLeave(): void }) {
  const t = useText(activityText);
  const { activity } = agent;
  const { status, label } = activityOf(activity, t);
  const isBusy = activity !== null && activity.state !== 'neverRun' && activity.state !== 'done';
  const to =
    isBusy && activity.spaceId !== null
      ? `/spaces/${activity.spaceId}`
      : `/agents/${agent.actor.slice('agent:'.length)}`;
  return (
    <li>
      <Link href={to} className={css.row} onClick={onLeave}>
        <Avatar name={agent.name} kind="agent" />
        <span className={css.name}>
          {agent.name}
          <span className={css.title}>{agent.title}</span>
        </span>
        <Status status={status} label={label} />
      </Link>
    </li>
  );
}
