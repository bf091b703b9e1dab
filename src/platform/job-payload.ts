import { sql } from 'kysely';

/**
 * The payload of a job: an event's jobs share the event's payload. `of` is the alias of the jobs table in the query.
 */
export const jobPayload = (of: 'j' | 'jobs') => {
  const column = (name: string) => sql.ref(`${of}.${name}`);
  return sql<Record<string, unknown>>`coalesce(
    (select p.payload from event_payloads p where p.event_id = ${column('event_id')}), ${column('payload')})`.as(
    'payload',
  );
};
