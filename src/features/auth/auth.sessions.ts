import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseCookies, serializeCookie } from 'better-call';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { InstallationSettings } from '#contract/admin-settings.ts';
import { instantOf } from '#domain/instants.ts';
import { z } from 'zod';
import { hashOfToken } from '#platform/token-hash.ts';
import { hasSession, removeSession } from '#features/auth/auth.people.ts';
import type { AuthSecrets } from '#features/auth/auth.secrets.ts';
import { idleDays, sessionDays } from '#features/auth/session-timeout.service.ts';
import { type AccessChange, subscribeToAccessChanges } from '#platform/access-changes.ts';
import { acceptsNoChanges } from '#platform/database.ts';
import type { PubSub } from '#platform/pubsub.ts';

/** A person with a valid session. */
export type Person = {
  userId: string;
  sessionId: string;
  email: string;
  fullName: string;
  isSystemAdmin: boolean;
  isDemo: boolean;
  /** Since when an administrator without a second factor is asked for one; null for everybody else. */
  secondFactorAskedAt: Temporal.Instant | null;
};

export type Sessions = {
  /**
   * The person of the cookie; cached for at most 30 seconds, and not at all while the connection for announcements is
   * down.
   */
  personOf(headers: Headers): Promise<Person | null>;
  /** The person whose session still needs its second factor. One that has waited for 15 minutes ends here. */
  waitingForSecondFactor(headers: Headers): Promise<Person | null>;
  /** Drops the cached session of one cookie, before the announcement of a change arrives. */
  forget(headers: Headers): void;
  forgetAll(): void;
  /** The stored hash of the cookie's token; null without a cookie that this server signed. */
  tokenHashIn(headers: Headers): string | null;
  /** The cookie of a session whose token is known. */
  cookieFor(token: string): string;
  /** The token in a cookie that an older secret signed; null for all other cookies. */
  tokenOfOlderCookie(headers: Headers): string | null;
  /** The cookie that makes the browser forget an ended session; null where there is none. */
  endedCookie(headers: Headers): Promise<string | null>;
  /** Stops listening for sessions that end. */
  close(): void;
};

export type SessionCookie = { name: string; attributes: Parameters<typeof serializeCookie>[2]; secrets: AuthSecrets };

type SessionPorts = {
  cookie: SessionCookie;
  now: () => Temporal.Instant;
  /** Whether addresses must be verified: a session from before that was required does not count then. */
  emailVerification: boolean;
  /** Announces sessions that end in other processes. */
  pubsub: Pick<PubSub, 'subscribe' | 'isListening'>;
  settings: () => Pick<InstallationSettings, 'sessionTimeout'>;
};

const REMEMBERED_MS = 30_000;

/** How often the use of a session is written down, at most. */
const renewalMinutes = 10;

export function createSessions(
  pool: pg.Pool,
  { cookie, now, pubsub, emailVerification, settings }: SessionPorts,
): Sessions {
  // Keyed by the hash of the token: a cookie has many spellings, a session has one token.
  const remembered = new LRUCache<string, Person>({
    max: 5_000,
    ttl: REMEMBERED_MS,
    ttlResolution: 0,
    perf: { now: () => now().epochMilliseconds },
  });
  // Incremented by every invalidation: a lookup that began before it must not be cached after it.
  let era = 0;

  function forgetAll(): void {
    era += 1;
    remembered.clear();
  }

  function forgetChanged(change: AccessChange): void {
    era += 1;
    for (const [hash, person] of remembered.entries()) if (concerns(change, person)) remembered.delete(hash);
  }

  const close = subscribeToAccessChanges(pubsub, (change) => (change === null ? forgetAll() : forgetChanged(change)));

  function tokenIn(headers: Headers, secrets: readonly string[]): string | null {
    const value = parseCookies(headers.get('cookie') ?? '').get(cookie.name);
    return value === undefined ? null : openSigned(value, secrets);
  }

  function tokenHashIn(headers: Headers): string | null {
    const token = tokenIn(headers, cookie.secrets());
    return token === null ? null : hashOfToken(token);
  }

  async function found(headers: Headers) {
    const tokenHash = tokenHashIn(headers);
    return tokenHash === null ? null : findPerson(pool, { tokenHash, now: now(), emailVerification });
  }

  return {
    async waitingForSecondFactor(headers) {
      const session = await found(headers);
      if (session === null || !session.isWaitingForSecondFactor) return null;
      if (!session.isLapsed) return session.person;
      await removeSession(pool, tokenHashIn(headers) ?? '');
      return null;
    },
    async personOf(headers) {
      const tokenHash = tokenHashIn(headers);
      if (tokenHash === null) return null;
      const known = pubsub.isListening() ? remembered.get(tokenHash) : undefined;
      if (known !== undefined) return known;
      const eraAtStart = era;
      const session = await found(headers);
      if (session === null || session.isWaitingForSecondFactor) return null;
      const renewed = isDueForRenewal(session, now())
        ? await renewSession(pool, { tokenHash, now: now(), idle: idleDays(settings()) }).catch(leaveForLater)
        : null;
      const leftMs = (renewed ?? session.expiresAt).epochMilliseconds - now().epochMilliseconds;
      if (era === eraAtStart && leftMs > 0 && pubsub.isListening())
        remembered.set(tokenHash, session.person, { ttl: Math.min(REMEMBERED_MS, leftMs) });
      return session.person;
    },
    forget(headers) {
      era += 1;
      remembered.delete(tokenHashIn(headers) ?? '');
    },
    forgetAll,
    tokenHashIn,
    cookieFor: (token) => serializeCookie(cookie.name, sign(token, cookie.secrets()[0]), cookie.attributes),
    tokenOfOlderCookie: (headers) => tokenIn(headers, cookie.secrets().slice(1)),
    async endedCookie(headers) {
      const tokenHash = tokenHashIn(headers);
      if (tokenHash === null || (await hasSession(pool, { tokenHash, now: now() }))) return null;
      return serializeCookie(cookie.name, '', { ...cookie.attributes, maxAge: 0 });
    },
    close,
  };
}

const concerns = (change: AccessChange, { sessionId, userId }: Person): boolean =>
  ('session' in change && change.session === sessionId) || ('person' in change && change.person === userId);

/** How long a session waits for its second factor: for more guesses, whoever has only the password must sign in again. */
const waitsAtMost = { minutes: 15 };

const PersonRow = z
  .object({
    session_id: z.uuid(),
    id: z.uuid(),
    email: z.string(),
    full_name: z.string(),
    is_system_admin: z.boolean(),
    is_demo: z.boolean(),
    second_factor_asked_at: z.date().nullable(),
    expires_at: z.date(),
    is_waiting: z.boolean(),
    created_at: z.date(),
    updated_at: z.date(),
  })
  .transform((row) => ({
    person: {
      userId: row.id,
      sessionId: row.session_id,
      email: row.email,
      fullName: row.full_name,
      isSystemAdmin: row.is_system_admin,
      isDemo: row.is_demo,
      secondFactorAskedAt: row.second_factor_asked_at === null ? null : instantOf(row.second_factor_asked_at),
    },
    isWaitingForSecondFactor: row.is_waiting,
    beganAt: instantOf(row.created_at),
    expiresAt: instantOf(row.expires_at),
    usedAt: instantOf(row.updated_at),
  }));

async function findPerson(
  pool: pg.Pool,
  { tokenHash, now, emailVerification }: { tokenHash: string; now: Temporal.Instant; emailVerification: boolean },
) {
  const { rows } = await pool.query({
    name: 'person-of-session',
    text: `
      select s.id as session_id, p.id, p.email, p.full_name, p.is_system_admin, p.is_demo, s.expires_at,
             p.two_factor_enabled and s.second_factor_at is null as is_waiting,
             s.created_at, s.updated_at,
             case when p.is_system_admin and not p.two_factor_enabled then p.second_factor_asked_at end as second_factor_asked_at
      from auth_sessions s
      join profiles p on p.id = s.user_id
      where s.token = $1 and s.expires_at > $2 and p.suspended_at is null and (p.email_verified or not $3)`,
    values: [tokenHash, now.toString(), emailVerification],
  });
  if (rows.length === 0) return null;
  const { beganAt, ...session } = PersonRow.parse(rows[0]);
  return { ...session, isLapsed: Temporal.Instant.compare(beganAt.add(waitsAtMost), now) <= 0 };
}

const isDueForRenewal = ({ usedAt }: { usedAt: Temporal.Instant }, now: Temporal.Instant) =>
  Temporal.Instant.compare(usedAt.add({ minutes: renewalMinutes }), now) <= 0;

/** A database that accepts no changes can be read all the same: the next request renews the session. */
function leaveForLater(error: unknown): null {
  if (acceptsNoChanges(error)) return null;
  throw error;
}

/** Writes down that the session is used. Returns its new end; null where another process did so meanwhile. */
async function renewSession(
  pool: pg.Pool,
  { tokenHash, now, idle }: { tokenHash: string; now: Temporal.Instant; idle: number },
): Promise<Temporal.Instant | null> {
  const { rows } = await pool.query<{ expires_at: Date }>({
    name: 'renew-session',
    text: `
      update auth_sessions
         set updated_at = $2,
             expires_at = least($2::timestamptz + make_interval(hours => 24 * $3), created_at + make_interval(hours => 24 * $4))
       where token = $1 and updated_at <= $2::timestamptz - make_interval(mins => $5)
      returning expires_at`,
    values: [tokenHash, now.toString(), idle, sessionDays.absolute, renewalMinutes],
  });
  return rows[0] === undefined ? null : instantOf(rows[0].expires_at);
}

// better-auth's signed cookie: the value, a dot and its HMAC-SHA-256 in base64.

const sign = (token: string, secret: string) => `${token}.${signatureOf(token, secret).toString('base64')}`;

/** Accepts only the exact text that was issued: Node ignores characters that are not base64, but better-auth does not. */
function openSigned(value: string, secrets: readonly string[]): string | null {
  const dot = value.lastIndexOf('.');
  const token = value.slice(0, Math.max(dot, 0));
  const given = Buffer.from(value.slice(dot + 1));
  const isSignedBy = (secret: string) => {
    const due = Buffer.from(signatureOf(token, secret).toString('base64'));
    return given.length === due.length && timingSafeEqual(given, due);
  };
  return dot > 0 && secrets.some(isSignedBy) ? token : null;
}

const signatureOf = (token: string, secret: string) => createHmac('sha256', secret).update(token).digest();
