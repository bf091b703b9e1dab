import ipaddr from 'ipaddr.js';
import type pg from 'pg';
import type { Device } from '#contract/account.ts';
import type { Person } from '#features/auth/auth.sessions.ts';
import * as db from '#features/auth/devices.db.ts';
import { Forbidden, NotFound } from '#platform/errors.ts';

export type SignedInDevices = {
  list(person: Person): Promise<Device[]>;
  /** Throws NotFound for a session that is not this person's, or has ended. */
  signOut(person: Person, id: string): Promise<void>;
  /** Returns how many were signed out. */
  signOutOthers(person: Person): Promise<number>;
};

/** Database triggers announce what ends here: every process forgets it and closes its streams. */
export function createSignedInDevices(pool: pg.Pool, now: () => Temporal.Instant): SignedInDevices {
  return {
    async list({ userId, sessionId, isDemo }) {
      const sessions = await db.listSessions(pool, { userId, now: now() });
      return (
        sessions
          // Whoever has the link of the terminal is in the same account, and is told nothing of the others.
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

/** Of an IPv6 address only its /64 network is stored; of the one that begins with zeros only loopback is in use. */
function readable(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return parsed.range() === 'unspecified' ? '::1' : `${parsed.toString()}/64`;
}
