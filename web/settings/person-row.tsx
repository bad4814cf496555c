import { useMutation } from '@tanstack/react-query';
import type { Member, Role } from '../../services/spaces/members/schema.ts';
import { ask, spaces } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { dateTime } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { FaultText } from '../ui/fault-text.tsx';
import css from './people.module.css';
import { roleText } from './role-text.ts';

const words = texts(
  {
    you: 'you',
    roleOf: (name: string) => `Role of ${name}`,
    link: 'New sign-in link',
    linkFor: (name: string) => `New sign-in link for ${name}`,
    access: 'Access',
    accessOf: (name: string) => `Access of ${name}`,
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    leave: 'Leave',
    lastOwner: 'Make somebody else an owner first.',
  },
  {
    you: 'vous',
    roleOf: (name: string) => `Rôle de ${name}`,
    link: 'Nouveau lien de connexion',
    linkFor: (name: string) => `Nouveau lien de connexion pour ${name}`,
    access: 'Accès',
    accessOf: (name: string) => `Accès de ${name}`,
    remove: 'Retirer',
    removeOf: (name: string) => `Retirer ${name}`,
    leave: 'Partir',
    lastOwner: 'Nommez d’abord un autre propriétaire.',
  },
);

const ROLES = ['owner', 'operator', 'viewer'] as const;

export type PersonAction = 'link' | 'access' | 'remove';

interface PersonRowProps {
  member: Member;
  isLastOwner: boolean;
  onAct(what: PersonAction): void;
}

/** One person; an owner changes the role in place. */
export function PersonRow({ member, isLastOwner, onAct }: PersonRowProps) {
  const t = useText(words);
  const roles = useText(roleText);
  const { memberId, cannotOwn } = useMe();
  const { id, name, role, createdAt } = member;
  const isMe = id === memberId;
  const change = useMutation({
    mutationFn: (to: Role) => ask(spaces.api.members[':id'].$patch({ param: { id }, json: { role: to } })),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.members() });
      if (isMe) await queryClient.invalidateQueries({ queryKey: keys.me() });
    },
  });
  return (
    <tr>
      <th scope="row">
        <span className={css.person}>
          <Avatar name={name} kind="person" />
          <span>
            {name} {isMe ? <span className={css.soft}>({t.you})</span> : null}
          </span>
        </span>
      </th>
      <td>
        {cannotOwn === null ? (
          <select
            className={css.role}
            aria-label={t.roleOf(name)}
            value={change.isPending ? change.variables : role}
            aria-busy={change.isPending || undefined}
            onChange={({ target }) => change.mutate(target.value as Role)}
          >
            {ROLES.map((one) => (
              <option key={one} value={one}>
                {roles[one].name}
              </option>
            ))}
          </select>
        ) : (
          roles[role].name
        )}
        <div role="alert">
          {change.error ? (
            <p className={css.error}>
              <FaultText error={change.error} />
            </p>
          ) : null}
        </div>
      </td>
      <td className={`${css.soft} ${css.since}`}>{dateTime(createdAt)}</td>
      <td>
        <PersonActions member={member} isLastOwner={isLastOwner} onAct={onAct} />
      </td>
    </tr>
  );
}

/** Everybody has these for themselves, and owners for all. */
function PersonActions({ member: { id, name }, isLastOwner, onAct }: PersonRowProps) {
  const t = useText(words);
  const { memberId, cannotOwn } = useMe();
  const isMe = id === memberId;
  if (!isMe && cannotOwn !== null) return null;
  return (
    <div className={css.actions}>
      <Button onClick={() => onAct('link')} aria-label={t.linkFor(name)}>
        {t.link}
      </Button>
      {isMe ? null : (
        <Button onClick={() => onAct('access')} aria-label={t.accessOf(name)}>
          {t.access}
        </Button>
      )}
      <Button
        disabledReason={isLastOwner ? t.lastOwner : null}
        onClick={() => onAct('remove')}
        {...(isMe ? {} : { 'aria-label': t.removeOf(name) })}
      >
        {isMe ? t.leave : t.remove}
      </Button>
    </div>
  );
}
