import ipaddr from 'ipaddr.js';
import type pg from 'pg';
import type { Device } from '#contract/account.ts';
import type { Person } from '#features/auth/auth.sessions.ts';
import * as db from '#features/auth/devices.db.ts';
import { Forbidden, NotFound } from '#platform/errors.ts';

export type SignedInDevices = {
  list(person: Person): Promise<Device[]>;
  /** Ends a session. Throws NotFound where it is not this person's, or has ended. */
  signOut(person: Person, id: string): Promise<void>;
  /** Ends all other sessions. Returns how many. */
  signOutOthers(person: Person): Promise<number>;
};

/** Lists and ends a person's sessions. Database triggers announce ended ones: every process forgets them and closes their streams. */
export function createSignedInDevices(pool: pg.Pool, now: () => Temporal.Instant): SignedInDevices {
  return {
    async list({ userId, sessionId, isDemo }) {
      const sessions = await db.listSessions(pool, { userId, now: now() });
      return (
        sessions
          // Everybody who uses the terminal's link shares one account, and sees only their own session.
          .filter(({ id }) => !isDemo || id === sessionId)
          .map((session) => ({
            id: session.id,
            user_agent: session.user_agent || null,
            address: readable(session.ip_address ?? ''),
            signed_in_at: session.created_at.toISOString(),
            last_used_at: session.updated_at.toISOString(),
            is_current: session.id === sessionId,
          }))
      );
    },
    async signOut(person, id) {
      if (person.isDemo && id !== person.sessionId) throw new NotFound('device');
      if ((await db.endSessions(pool, { userId: person.userId, id })) === 0) throw new NotFound('device');
    },
    async signOutOthers({ userId, sessionId, isDemo }) {
      if (isDemo) throw new Forbidden('Nobody signs others out of a demo');
      return db.endSessions(pool, { userId, exceptOf: sessionId });
    },
  };
}

/** Only the /64 network of an IPv6 address is stored. Of that which begins with zeros, only loopback is in use. */
function readable(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return parsed.range() === 'unspecified' ? '::1' : `${parsed.toString()}/64`;
}
