import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '../../services/spaces/members/schema.ts';
import { texts, useText } from '../i18n/text.ts';
import { membersQuery } from '../shell/shell-queries.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { useKeptFocus } from '../ui/use-kept-focus.ts';
import { AddPerson } from './add-person.tsx';
import { FormerMembers } from './former-members.tsx';
import { OutOfDate } from './out-of-date.tsx';
import css from './people.module.css';
import { PersonAccess } from './person-access.tsx';
import { type PersonAction, PersonRow } from './person-row.tsx';
import { RemovePerson } from './remove-person.tsx';
import { SignInLink } from './sign-in-link.tsx';

const words = texts(
  {
    intro: 'Everybody who may sign in to this server. People hold for all of its workspaces.',
    add: 'Add a person',
    name: 'Name',
    role: 'Role',
    since: 'Since',
    actions: 'Actions',
  },
  {
    intro: 'Toutes celles et ceux qui peuvent se connecter à ce serveur, pour tous ses espaces de travail.',
    add: 'Ajouter une personne',
    name: 'Nom',
    role: 'Rôle',
    since: 'Depuis',
    actions: 'Actions',
  },
);

/** The people of the server: who they are, what they may do, and links for them to sign in with. */
export function People() {
  const t = useText(words);
  const { cannotOwn } = useMe();
  const list = useQuery({ ...membersQuery(), refetchOnMount: 'always' });
  const [isAdding, setAdding] = useState(false);
  const [open, setOpen] = useState<{ what: PersonAction; member: Member } | null>(null);
  const close = () => setOpen(null);
  const part = useKeptFocus<HTMLDivElement>(() => null);
  if (list.error && !list.data) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  const owners = list.data.items.filter(({ role }) => role === 'owner');
  return (
    <div ref={part} className={css.people}>
      <header className={css.head}>
        <p>{t.intro}</p>
        <Button kind="primary" disabledReason={cannotOwn} onClick={() => setAdding(true)}>
          {t.add}
        </Button>
      </header>
      <OutOfDate look={list} />
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
            <PersonRow
              key={member.id}
              member={member}
              isLastOwner={owners.length === 1 && owners[0]?.id === member.id}
              onAct={(what) => setOpen({ what, member })}
            />
          ))}
        </tbody>
      </table>
      <FormerMembers former={list.data.former} />
      {isAdding ? (
        <AddPerson
          onClose={() => setAdding(false)}
          onAdded={(member) => {
            setAdding(false);
            setOpen({ what: 'link', member });
          }}
        />
      ) : null}
      {open?.what === 'link' ? <SignInLink member={open.member} onClose={close} /> : null}
      {open?.what === 'access' ? <PersonAccess member={open.member} onClose={close} /> : null}
      {open?.what === 'remove' ? <RemovePerson member={open.member} onClose={close} /> : null}
    </div>
  );
}
