import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { texts, useText } from '../i18n/text.ts';
import { membersQuery } from '../shell/shell-queries.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { AddPerson } from './add-person.tsx';
import css from './people.module.css';
import { PersonRow } from './person-row.tsx';
import { SignInLink } from './sign-in-link.tsx';

const words = texts(
  {
    intro: 'Everybody who may sign in to this server. People hold for all of its workspaces.',
    add: 'Add a person',
    name: 'Name',
    role: 'Role',
    since: 'Since',
    actions: 'Sign-in',
  },
  {
    intro: 'Toutes celles et ceux qui peuvent se connecter à ce serveur, pour tous ses espaces de travail.',
    add: 'Ajouter une personne',
    name: 'Nom',
    role: 'Rôle',
    since: 'Depuis',
    actions: 'Connexion',
  },
);

/** The people of the server: who they are, what they may do, and links for them to sign in with. */
export function People() {
  const t = useText(words);
  const { cannotOwn } = useMe();
  const list = useQuery({ ...membersQuery(), refetchOnMount: 'always' });
  const [isAdding, setAdding] = useState(false);
  const [linkFor, setLinkFor] = useState<{ id: string; name: string } | null>(null);
  if (list.error && !list.data) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  return (
    <div className={css.people}>
      <header className={css.head}>
        <p>{t.intro}</p>
        <Button kind="primary" disabledReason={cannotOwn} onClick={() => setAdding(true)}>
          {t.add}
        </Button>
      </header>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t.name}</th>
            <th scope="col">{t.role}</th>
            <th scope="col">{t.since}</th>
            <th scope="col">{t.actions}</th>
          </tr>
        </thead>
        <tbody>
          {list.data.items.map((member) => (
            <PersonRow key={member.id} member={member} onLink={() => setLinkFor(member)} />
          ))}
        </tbody>
      </table>
      {isAdding ? (
        <AddPerson
          onClose={() => setAdding(false)}
          onAdded={(member) => {
            setAdding(false);
            setLinkFor(member);
          }}
        />
      ) : null}
      {linkFor ? <SignInLink member={linkFor} onClose={() => setLinkFor(null)} /> : null}
    </div>
  );
}
