import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormerMember, Member } from '../../services/spaces/members/schema.ts';
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
    intro: 'Everybody who may sign in to this server. What they may do holds in all of its workspaces.',
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

/** The people of the server: who they are, what they may do, and how each gets in. */
export function People() {
  const list = useQuery({ ...membersQuery(), refetchOnMount: 'always' });
  if (list.error && !list.data) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  return (
    <>
      <OutOfDate look={list} />
      <PeopleList members={list.data.items} former={list.data.former} />
    </>
  );
}

type OpenDialog = { what: 'add' } | { what: PersonAction; member: Member };

interface PeopleListProps {
  members: readonly Member[];
  former: readonly FormerMember[];
}

function PeopleList({ members, former }: PeopleListProps) {
  const t = useText(words);
  const { cannotOwn } = useMe();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const part = useKeptFocus<HTMLDivElement>(() => null);
  const owners = members.filter(({ role }) => role === 'owner');
  return (
    <div ref={part} className={css.people}>
      <header className={css.head}>
        <p>{t.intro}</p>
        <Button kind="primary" disabledReason={cannotOwn} onClick={() => setOpen({ what: 'add' })}>
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
          {members.map((member) => (
            <PersonRow
              key={member.id}
              member={member}
              isLastOwner={owners.length === 1 && owners[0]?.id === member.id}
              onAct={(what) => setOpen({ what, member })}
            />
          ))}
        </tbody>
      </table>
      <FormerMembers former={former} />
      {open ? <PersonDialog open={open} onOpen={setOpen} /> : null}
    </div>
  );
}

function PersonDialog({ open, onOpen }: { open: OpenDialog; onOpen(open: OpenDialog | null): void }) {
  const close = () => onOpen(null);
  if (open.what === 'add')
    return <AddPerson onClose={close} onAdded={(member) => onOpen({ what: 'link', member })} />;
  if (open.what === 'link') return <SignInLink member={open.member} onClose={close} />;
  if (open.what === 'access') return <PersonAccess member={open.member} onClose={close} />;
  return <RemovePerson member={open.member} onClose={close} />;
}
