import type { Actor } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { SpacesDeps } from '../deps.ts';
import { memberAsked } from './member-asked.ts';
import { knownMember } from './member-operations.ts';
import type { AskedSession, Member, NewSession, NewSignInCode, Role } from './schema.ts';
import {
  deleteSession,
  type FoundSession,
  findSession,
  insertSession,
  insertSignInCode,
  markSeen,
} from './session-store.ts';
import { newSecret, tokenDigest } from './token.ts';

/** A browser that comes back within this time stays signed in. */
const SESSION_MS = 30 * 86_400_000;
const RENEW_AFTER_MS = 86_400_000;
const SEEN_EVERY_MS = 600_000;
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 1_000;

/** Whom a session is of; `renewed` when it lasts longer from this moment on, so that the cookie has to be sent anew. */
export interface SessionHolder {
  sessionId: string;
  actor: Actor;
  role: Role;
  expiresAt: number;
  renewed: boolean;
}

type Deps = Pick<SpacesDeps, 'control' | 'clock' | 'log'>;

/**
 * Signing in by a code that works once, and who it is that signed in. Sessions are remembered for a minute; whatever
 * changes them or their members does so through this, or says `forget`.
 */
export class Sessions {
  readonly #deps: Deps;
  readonly #remembered = new Map<string, FoundSession & { until: number }>();
  /** Grows with every change, so that what was read before one is not remembered after it. */
  #changes = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * A code for the actor, or by an owner for anybody. It is nowhere kept, so each call makes another.
   * @throws Fault people_only, forbidden, not_found
   */
  async newCode(input: NewSignInCode, actor: Actor) {
    const { control, clock } = this.#deps;
    const { validForMs } = input;
    const memberId = await memberAsked(control, input.memberId, actor, 'make a sign-in link');
    const [code, createdAt] = [newSecret(), clock()];
    const expiresAt = createdAt + validForMs;
    const row = { digest: tokenDigest(code), memberId, createdAt, expiresAt };
    if (!(await insertSignInCode(control, row))) knownMember(null, memberId);
    return { code, expiresAt, memberId };
  }

  /**
   * Uses a code up. Asked again for the same session, since an answer was lost, it answers the same.
   * @throws Fault sign_in_failed
   */
  async begin({
    codeDigest,
    digest,
    browser,
    system,
  }: NewSession): Promise<{ member: Member; expiresAt: number }> {
    const { control, clock } = this.#deps;
    const nowMs = clock();
    const times = { createdAt: nowMs, expiresAt: nowMs + SESSION_MS };
    const session = { id: newId('ses'), digest, ...times, browser, system };
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
    const renewed = await this.#see(digest, session, nowMs, renew);
    const { id, member, expiresAt } = session;
    return { sessionId: id, actor: `person:${member.id}`, role: member.role, expiresAt, renewed };
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

  /**
   * Notes that it was seen now, and lengthens it when that is due. That it cannot be noted, on a full disk say, signs nobody out.
   * @returns whether it lasts longer from now on
   */
  async #see(digest: string, session: FoundSession, nowMs: number, renew: boolean): Promise<boolean> {
    const isDue = renew && session.expiresAt - nowMs <= SESSION_MS - RENEW_AFTER_MS;
    if (!isDue && nowMs - session.lastSeenAt < SEEN_EVERY_MS) return false;
    const expiresAt = isDue ? nowMs + SESSION_MS : session.expiresAt;
    const seen = { before: session.lastSeenAt, at: nowMs, expiresAt };
    const isSeen = await markSeen(this.#deps.control, digest, seen).catch((err: unknown) => {
      this.#deps.log.warn({ err, sessionId: session.id }, 'that a session was seen could not be noted');
      return false;
    });
    if (isSeen) Object.assign(session, { lastSeenAt: nowMs, expiresAt });
    else this.#remembered.delete(digest);
    return isDue && isSeen;
  }
}
