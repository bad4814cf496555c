import { useQuery } from '@tanstack/react-query';
import type { Role } from '../../services/spaces/members/schema.ts';
import { texts, useText } from '../i18n/text.ts';
import { meQuery } from './shell-queries.ts';

const words = texts(
  {
    viewer: 'You may look but not change anything. Ask an owner for another role.',
    notOwner: 'Only an owner may do this.',
  },
  {
    viewer: 'Vous pouvez consulter, mais rien modifier. Demandez un autre rôle à un propriétaire.',
    notOwner: 'Réservé aux propriétaires.',
  },
);

interface Me {
  /** `person:mem_…` */
  actor: string;
  memberId: string | null;
  name: string;
  role: Role | null;
  /** Why this person cannot change anything, in words; null for one who can. */
  cannotChange: string | null;
  /** Why this person cannot do what owners do. */
  cannotOwn: string | null;
}

/** Who is signed in and what they may do here; the server decides it again. */
export function useMe(): Me {
  const t = useText(words);
  const { data } = useQuery(meQuery());
  const role = data?.member?.role ?? null;
  return {
    actor: data?.actor ?? '',
    memberId: data?.member?.id ?? null,
    name: data?.member?.name ?? '',
    role,
    cannotChange: role === 'viewer' ? t.viewer : null,
    cannotOwn: role === 'owner' ? null : t.notOwner,
  };
}
