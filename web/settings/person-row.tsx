import { useMutation } from '@tanstack/react-query';
import type { Member, Role } from '../../services/spaces/members/schema.ts';
import { ask, spaces } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { dateTime } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import css from './people.module.css';
import { roleText } from './role-text.ts';

const words = texts(
  {
    you: 'you',
    roleOf: (name: string) => `Role of ${name}`,
    link: 'New sign-in link',
    linkFor: (name: string) => `New sign-in link for ${name}`,
  },
  {
    you: 'vous',
    roleOf: (name: string) => `Rôle de ${name}`,
    link: 'Nouveau lien de connexion',
    linkFor: (name: string) => `Nouveau lien de connexion pour ${name}`,
  },
);

const ROLES = ['owner', 'operator', 'viewer'] as const;

/** One person; an owner changes the role in place. */
export function PersonRow({ member, onLink }: { member: Member; onLink(): void }) {
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
        <div role="alert">{change.error ? <p className={css.error}>{change.error.message}</p> : null}</div>
      </td>
      <td className={css.soft}>{dateTime(createdAt)}</td>
      <td>
        {isMe || cannotOwn === null ? (
          <Button onClick={onLink} aria-label={t.linkFor(name)}>
            {t.link}
          </Button>
        ) : null}
      </td>
    </tr>
  );
}
