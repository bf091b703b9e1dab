import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseCookies, serializeCookie } from 'better-call';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { z } from 'zod';
import { hashToken } from '#features/auth/auth.adapter.ts';

/** Somebody signed in. */
export type Person = { userId: string; email: string; fullName: string; isSystemAdmin: boolean; isDemo: boolean };

export type Sessions = {
  /** Who the cookie belongs to; remembered for at most 30 seconds. */
  personOf(headers: Headers): Promise<Person | null>;
  /** Drops what is remembered about one cookie, or about all of them. */
  forget(headers: Headers): void;
  forgetAll(): void;
  /** The cookie of a session whose token is known. */
  cookieFor(token: string): string;
};

export type SessionCookie = { name: string; attributes: Parameters<typeof serializeCookie>[2]; secret: string };

const REMEMBERED_MS = 30_000;

export function createSessions(
  pool: pg.Pool,
  { cookie, now }: { cookie: SessionCookie; now: () => Temporal.Instant },
): Sessions {
  const remembered = new LRUCache<string, Person>({
    max: 5_000,
    ttl: REMEMBERED_MS,
    ttlResolution: 0,
    perf: { now: () => now().epochMilliseconds },
  });
  // Raised by every forgetting: a lookup that began before it must not be remembered after it.
  let era = 0;

  const valueIn = (headers: Headers) => parseCookies(headers.get('cookie') ?? '').get(cookie.name);

  return {
    async personOf(headers) {
      const value = valueIn(headers);
      const token = value === undefined ? null : openSigned(value, cookie.secret);
      if (value === undefined || token === null) return null;
      const known = remembered.get(value);
      if (known !== undefined) return known;
      const eraAtStart = era;
      const found = await findPerson(pool, { token, now: now() });
      if (found === null) return null;
      const leftMs = found.expiresAt.epochMilliseconds - now().epochMilliseconds;
      if (era === eraAtStart && leftMs > 0)
        remembered.set(value, found.person, { ttl: Math.min(REMEMBERED_MS, leftMs) });
      return found.person;
    },
    forget(headers) {
      era += 1;
      remembered.delete(valueIn(headers) ?? '');
    },
    forgetAll() {
      era += 1;
      remembered.clear();
    },
    cookieFor: (token) => serializeCookie(cookie.name, sign(token, cookie.secret), cookie.attributes),
  };
}

const PersonRow = z
  .object({
    id: z.uuid(),
    email: z.string(),
    full_name: z.string(),
    is_system_admin: z.boolean(),
    is_demo: z.boolean(),
    expires_at: z.date(),
  })
  .transform((row) => ({
    person: {
      userId: row.id,
      email: row.email,
      fullName: row.full_name,
      isSystemAdmin: row.is_system_admin,
      isDemo: row.is_demo,
    },
    expiresAt: Temporal.Instant.fromEpochMilliseconds(row.expires_at.getTime()),
  }));

async function findPerson(pool: pg.Pool, { token, now }: { token: string; now: Temporal.Instant }) {
  const { rows } = await pool.query({
    name: 'person-of-session',
    text: `
      select p.id, p.email, p.full_name, p.is_system_admin, p.is_demo, s.expires_at
      from auth_sessions s
      join profiles p on p.id = s.user_id
      where s.token = $1 and s.expires_at > $2`,
    values: [hashToken(token), now.toString()],
  });
  return rows.length === 0 ? null : PersonRow.parse(rows[0]);
}

// better-auth's signed cookie: the value, a dot and its HMAC-SHA-256 in base64.

const sign = (token: string, secret: string) => `${token}.${signatureOf(token, secret).toString('base64')}`;

function openSigned(value: string, secret: string): string | null {
  const dot = value.lastIndexOf('.');
  const token = value.slice(0, Math.max(dot, 0));
  const given = Buffer.from(value.slice(dot + 1), 'base64');
  const due = signatureOf(token, secret);
  return dot > 0 && given.length === due.length && timingSafeEqual(given, due) ? token : null;
}

const signatureOf = (token: string, secret: string) => createHmac('sha256', secret).update(token).digest();
