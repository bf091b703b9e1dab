import type { Pool } from 'pg';
import type { DemoRequest, DemoRequestInput } from '#contract/demo-requests.ts';

export const insertDemoRequest = (
  auth: Pool,
  { name, email, message, now }: Omit<DemoRequestInput, 'website'> & { now: Temporal.Instant },
) =>
  auth.query('insert into demo_requests (name, email, message, created_at) values ($1, $2, $3, $4)', [
    name,
    email,
    message,
    now.toString(),
  ]);

/** Deletes what is older, and what is beyond the newest so many. */
export const deleteOldDemoRequests = (auth: Pool, { before, most }: { before: Temporal.Instant; most: number }) =>
  auth.query(
    `delete from demo_requests
      where created_at < $1 or id in (select id from demo_requests order by created_at desc, id desc offset $2)`,
    [before.toString(), most],
  );

export async function findDemoRequests(auth: Pool, { most }: { most: number }): Promise<DemoRequest[]> {
  const { rows } = await auth.query<DemoRequest>(
    'select id, name, email, message, created_at from demo_requests order by created_at desc, id desc limit $1',
    [most],
  );
  return rows;
}
