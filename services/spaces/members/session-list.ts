import { type Actor, actorId, requirePerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import type { SpacesDeps } from '../deps.ts';
import { memberAsked } from './member-asked.ts';
import { isOwner } from './role.ts';
import {
  deleteSessionById,
  deleteSessionsOf,
  findSessionById,
  listSessions,
  type SessionView,
} from './session-store.ts';

type Deps = Pick<SpacesDeps, 'control' | 'clock' | 'log'>;

/** A session as it is told; `isCurrent` for the one that the request came with. */
export interface ListedSession extends SessionView {
  isCurrent: boolean;
}

/**
 * Where somebody is signed in, the last seen first.
 * @param hereId the session that the request came with; null for a token
 * @throws Fault people_only, forbidden, not_found
 */
export async function sessionsOf(
  { control, clock }: Deps,
  memberId: string | undefined,
  actor: Actor,
  hereId: string | null,
): Promise<ListedSession[]> {
  const id = await memberAsked(control, memberId, actor, 'list the sessions');
  const sessions = await listSessions(control, id, clock());
  return sessions.map((session) => ({ ...session, isCurrent: session.id === hereId }));
}

/** @throws Fault people_only, not_found for one that is over, or that somebody else may not see */
export async function endSession({ control, clock, log }: Deps, id: string, actor: Actor): Promise<void> {
  requirePerson(actor, 'end a session');
  const session = await findSessionById(control, id, clock());
  const isTheirs = session && (session.memberId === actorId(actor) || (await isOwner(control, actor)));
  if (isTheirs && (await deleteSessionById(control, id))) {
    log.info({ sessionId: id, memberId: session.memberId, by: actor }, 'a session is ended');
    return;
  }
  throw new Fault(
    'not_found',
    `There is no session ${JSON.stringify(id)}. List them with \`cctl sessions\`.`,
    { id },
  );
}

/**
 * Ends all of somebody's sessions but the one that the request came with.
 * @returns how many there were
 * @throws Fault people_only, forbidden, not_found
 */
export async function endOtherSessions(
  { control, log }: Deps,
  memberId: string | undefined,
  actor: Actor,
  hereId: string | null,
): Promise<number> {
  const id = await memberAsked(control, memberId, actor, 'end the sessions');
  const ended = await deleteSessionsOf(control, id, hereId);
  log.info({ memberId: id, by: actor, ended }, 'sessions are ended');
  return ended;
}
