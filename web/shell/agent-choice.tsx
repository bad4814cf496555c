import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { texts, useText } from '../i18n/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import css from './agent-choice.module.css';
import { findScore } from './find.ts';
import { agentsQuery } from './shell-queries.ts';
import { spaceText } from './space-text.ts';

const words = texts({ find: 'Find an agent' }, { find: 'Chercher un agent' });

/** From so many on one looks for an agent by name. */
const MANY = 9;

interface AgentChoiceProps {
  ws: string;
  chosen: readonly string[];
  onChange(chosen: string[]): void;
}

/** Which agents are in a room. */
export function AgentChoice({ ws, chosen, onChange }: AgentChoiceProps) {
  const t = useText(spaceText);
  const { find } = useText(words);
  const hint = useId();
  const [query, setQuery] = useState('');
  const agents = useQuery(agentsQuery(ws)).data?.items ?? [];
  const shown = agents.filter(({ name, title }) => findScore(`${name} ${title}`, query) > 0);
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <fieldset className={css.agents} aria-describedby={hint}>
      <legend>{t.agents}</legend>
      <p id={hint} className={css.hint}>
        {agents.length === 0 ? t.noAgents : t.agentsHint}
      </p>
      {agents.length >= MANY ? (
        <input
          type="search"
          className={css.search}
          aria-label={find}
          placeholder={find}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
      ) : null}
      <div className={css.list}>
        {shown.map(({ id, name, title }) => (
          <label key={id} className={css.agent}>
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            <Avatar name={name} kind="agent" />
            <span className={css.name}>
              {name}
              <span className={css.title}>{title}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
