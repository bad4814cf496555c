import { unwrap } from '../../../services/kit/peer.ts';
import type { NewMember } from '../../../services/spaces/members/schema.ts';
import type { SpacesApp } from '../../../services/spaces/service.ts';
import { keyed, overSend } from './over-send.ts';
import type { Send } from './send.ts';

/** Whose sessions or tokens; nobody stands for whoever holds the token. */
type OfMember = { memberId?: string };

/** Who may do what, and how they get in. */
export function memberCalls(send: Send) {
  const { api } = overSend<SpacesApp>(send);
  return {
    members: async () => (await unwrap(api.members.$get())).items,
    addMember: (member: NewMember, key: string) =>
      unwrap(api.members.$post({ json: { ...member, key } }, keyed(key))),
    removeMember: (id: string) => unwrap(api.members[':id'].$delete({ param: { id } })),
    sessions: async (query: OfMember) => (await unwrap(api.sessions.$get({ query }))).items,
    endSession: (id: string) => unwrap(api.sessions[':id'].$delete({ param: { id } })),
    endSessions: (query: OfMember) => unwrap(api.sessions.$delete({ query })),
    tokens: async (query: OfMember) => (await unwrap(api.tokens.$get({ query }))).items,
    /** Told once. */
    addToken: (name: string, key: string) => unwrap(api.tokens.$post({ json: { name, key } }, keyed(key))),
    revokeToken: (id: string) => unwrap(api.tokens[':id'].$delete({ param: { id } })),
    /** Made anew by each call; who asks alone knows it. */
    newSignInCode: (json: { memberId?: string; validForMs?: number }) =>
      unwrap(api['sign-in-codes'].$post({ json })),
  };
}
