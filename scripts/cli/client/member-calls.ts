import { unwrap } from '../../../services/kit/peer.ts';
import type { NewMember } from '../../../services/spaces/members/schema.ts';
import type { SpacesApp } from '../../../services/spaces/service.ts';
import { keyed, overSend } from './over-send.ts';
import type { Send } from './send.ts';

/** Who may do what, and how they get in. */
export function memberCalls(send: Send) {
  const { api } = overSend<SpacesApp>(send);
  return {
    members: async () => (await unwrap(api.members.$get())).items,
    addMember: (member: NewMember, key: string) =>
      unwrap(api.members.$post({ json: { ...member, key } }, keyed(key))),
    /** Made anew by each call; who asks alone knows it. */
    newSignInCode: (json: { memberId?: string; validForMs?: number }) =>
      unwrap(api['sign-in-codes'].$post({ json })),
  };
}
