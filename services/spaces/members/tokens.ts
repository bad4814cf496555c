import { type Actor, actorId, requirePerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { SpacesDeps } from '../deps.ts';
import { memberAsked } from './member-asked.ts';
import { isOwner } from './role.ts';
import type { NewToken, Role } from './schema.ts';
import { findMember } from './store.ts';
import { newToken, tokenDigest } from './token.ts';
import {
  deleteToken,
  findToken,
  findTokenByDigest,
  insertToken,
  listTokens,
  type TokenView,
  touchToken,
} from './token-store.ts';

const USE_EVERY_MS = 600_000;

type Deps = Pick<SpacesDeps, 'control' | 'clock' | 'log'>;

/**
 * Whose token it is, which counts as a use of it.
 * @throws Fault not_found
 */
export async function holderOfToken(deps: Deps, digest: string): Promise<{ actor: Actor; role: Role }> {
  const token = await findTokenByDigest(deps.control, digest);
  const member = token && (await findMember(deps.control, token.memberId));
  if (!member) throw new Fault('not_found', 'This token is not known here.');
  await noteUse(deps, token);
  return { actor: `person:${member.id}`, role: member.role };
}

/** That it cannot be noted, on a full disk say, keeps nobody out. */
async function noteUse({ control, clock, log }: Deps, { id, lastUsedAt }: TokenView): Promise<void> {
  const nowMs = clock();
  if (lastUsedAt !== null && nowMs - lastUsedAt < USE_EVERY_MS) return;
  await touchToken(control, id, lastUsedAt, nowMs).catch((err: unknown) =>
    log.warn({ err, tokenId: id }, 'the use of a token could not be noted'),
  );
}

/** @throws Fault people_only, forbidden, not_found */
export async function tokensOf(deps: Deps, memberId: string | undefined, actor: Actor): Promise<TokenView[]> {
  return listTokens(deps.control, await memberAsked(deps.control, memberId, actor, 'list the tokens'));
}

/**
 * A token for the actor. `token` is told this once and nowhere kept.
 * @throws Fault people_only, forbidden, conflict
 */
export async function addToken(deps: Deps, input: NewToken, actor: Actor) {
  requirePerson(actor, 'make a token');
  const { name, key = null } = input;
  const [token, memberId] = [newToken(), actorId(actor)];
  const row = { id: newId('tok'), memberId, digest: tokenDigest(token), name, createdAt: deps.clock(), key };
  const id = await insertToken(deps.control, row);
  const made = id === null ? null : await findToken(deps.control, id);
  if (made) return { ...made, token };
  if (key === null) throw new Fault('forbidden', 'You are no member any more. Ask an owner.', { actor });
  throw new Fault(
    'conflict',
    `The key ${JSON.stringify(key)} made another token, or one that is in use. Take a new key.`,
    { key },
  );
}

/** @throws Fault people_only, not_found for one that is gone, or that somebody else may not see */
export async function revokeToken(deps: Deps, id: string, actor: Actor): Promise<void> {
  requirePerson(actor, 'revoke a token');
  const token = await findToken(deps.control, id);
  const isTheirs = token && (token.memberId === actorId(actor) || (await isOwner(deps.control, actor)));
  if (isTheirs && (await deleteToken(deps.control, id))) {
    deps.log.info({ tokenId: id, memberId: token.memberId, by: actor }, 'a token is revoked');
    return;
  }
  throw new Fault('not_found', `There is no token ${JSON.stringify(id)}. List them with \`cctl tokens\`.`, {
    id,
  });
}
