import { type Actor, actorId, requirePerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { SpacesDeps } from '../deps.ts';
import { knownMember } from './member-operations.ts';
import { requireOwner } from './role.ts';
import type { AskedSession, Member, NewSession, NewSignInCode, Role } from './schema.ts';
import {
  deleteSession,
  type FoundSession,
  findSession,
  insertSession,
  insertSignInCode,
  renewSession,
} from './session-store.ts';
import { findMember } from './store.ts';
import { newSecret, tokenDigest } from './token.ts';

/** A browser that comes back within this time stays signed in. */
const SESSION_MS = 30 * 86_400_000;
const RENEW_AFTER_MS = 86_400_000;
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 1_000;

/** Whom a session is of; `renewed` when it lasts longer from this moment on, so that the cookie has to be sent anew. */
export interface SessionHolder {
  actor: Actor;
  role: Role;
  expiresAt: number;
  renewed: boolean;
}

/**
 * Signing in by a code that works once, and who it is that signed in. Sessions are remembered for a minute; whatever
 * changes them or their members does so through this, or says `forget`.
 */
export class Sessions {
  readonly #deps: Pick<SpacesDeps, 'control' | 'clock'>;
  readonly #remembered = new Map<string, FoundSession & { until: number }>();
  /** Grows with every change, so that what was read before one is not remembered after it. */
  #changes = 0;

  constructor(deps: Pick<SpacesDeps, 'control' | 'clock'>) {
    this.#deps = deps;
  }

  /**
   * A code for the actor, or by an owner for anybody. It is nowhere kept, so each call makes another.
   * @throws Fault people_only, forbidden, not_found
   */
  async newCode(input: NewSignInCode, actor: Actor) {
    const { control, clock } = this.#deps;
    requirePerson(actor, 'make a sign-in link');
    const { memberId = actorId(actor), validForMs } = input;
    if (memberId !== actorId(actor)) await requireOwner(control, actor, 'make a sign-in link for another');
    knownMember(await findMember(control, memberId), memberId);
    const [code, createdAt] = [newSecret(), clock()];
    const expiresAt = createdAt + validForMs;
    await insertSignInCode(control, { digest: tokenDigest(code), memberId, createdAt, expiresAt });
    return { code, expiresAt, memberId };
  }

  /**
   * Uses a code up. Asked again for the same session, since an answer was lost, it answers the same.
   * @throws Fault sign_in_failed
   */
  async begin({ codeDigest, digest }: NewSession): Promise<{ member: Member; expiresAt: number }> {
    const { control, clock } = this.#deps;
    const nowMs = clock();
    const session = { id: newId('ses'), digest, createdAt: nowMs, expiresAt: nowMs + SESSION_MS };
    await insertSession(control, codeDigest, session);
    const begun = await findSession(control, digest, nowMs);
    if (begun) return { member: begun.member, expiresAt: begun.expiresAt };
    throw new Fault(
      'sign_in_failed',
      'This sign-in link is not valid: each works once and for a short time. Get a new one with `cctl sign-in`.',
    );
  }

  /** @throws Fault not_found for a session that ended, is over or never was */
  async holder({ digest, renew }: AskedSession): Promise<SessionHolder> {
    const nowMs = this.#deps.clock();
    const session = await this.#find(digest, nowMs);
    if (session === null) throw new Fault('not_found', 'This session is not known here.');
    const isDue = renew && nowMs - session.lastSeenAt >= RENEW_AFTER_MS;
    const renewed = isDue && (await this.#renew(digest, session, nowMs));
    const { member, expiresAt } = session;
    return { actor: `person:${member.id}`, role: member.role, expiresAt, renewed };
  }

  async end(digest: string): Promise<void> {
    await deleteSession(this.#deps.control, digest);
    this.forget();
  }

  /** Everything is read anew. */
  forget(): void {
    this.#changes++;
    this.#remembered.clear();
  }

  async #find(digest: string, nowMs: number): Promise<FoundSession | null> {
    const known = this.#remembered.get(digest);
    if (known && nowMs < Math.min(known.until, known.expiresAt)) return known;
    const changes = this.#changes;
    const session = await findSession(this.#deps.control, digest, nowMs);
    if (session === null || changes !== this.#changes) return session;
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    const remembered = { ...session, until: nowMs + REMEMBERED_MS };
    this.#remembered.set(digest, remembered);
    return remembered;
  }

  async #renew(digest: string, session: FoundSession, nowMs: number): Promise<boolean> {
    const expiresAt = nowMs + SESSION_MS;
    const seen = { before: session.lastSeenAt, at: nowMs, expiresAt };
    const renewed = await renewSession(this.#deps.control, digest, seen);
    if (renewed) Object.assign(session, { lastSeenAt: nowMs, expiresAt });
    else this.#remembered.delete(digest);
    return renewed;
  }
}
