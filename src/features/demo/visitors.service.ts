import { Kysely, PostgresDialect } from 'kysely';
import { randomUUIDv7 } from 'node:crypto';
import type { Pool } from 'pg';
import { createDemoWorkspace, demoPerson, type DemoPorts } from '#features/demo/demo.service.ts';
import { NotFound, RateLimited, Unavailable } from '#platform/errors.ts';
import { spendInNetworks } from '#platform/network-limit.ts';
import type { Schema } from '#platform/schema.ts';

export type VisitorPorts = Omit<DemoPorts, 'now'> & {
  /** Whether this installation offers demos to visitors, for which it needs the sandbox. */
  isOpen: boolean;
  /** False only in tests. */
  hasLimits: boolean;
  /** The most demos at a time; 200 by default. */
  most?: number;
  now: () => Temporal.Instant;
};

/** After how many hours a demo ends. */
const demoHours = 24;
/** The limit of one network. */
const ofNetwork = { bucket: 'demos.network', most: 10, seconds: 24 * 3_600 };
/** The most demos at a time, of all visitors. */
const mostDemos = 200;

/**
 * Creates a demo for one visitor: an account that nobody can sign in to later, and a workspace with a past, for a day. Returns the person whose
 * session to issue. Throws NotFound where there are no demos, RateLimited for too many from one network, and Unavailable while there are too many of
 * all.
 */
export async function beginDemo(
  ports: VisitorPorts,
  { clientAddress, timezone }: { clientAddress: string; timezone: string },
): Promise<{ userId: string }> {
  if (!ports.isOpen) throw new NotFound('demo');
  const now = ports.now();
  const { auth: pool } = ports.database;
  if (ports.hasLimits) await admit(ports, { clientAddress, now });
  const id = randomUUIDv7();
  const until = now.add({ hours: demoHours });
  if (!(await insertVisitor(pool, { id, fullName: demoPerson, until, most: ports.most ?? mostDemos })))
    throw new Unavailable('Too many people are looking at the demo just now. Please try again in an hour.');
  try {
    await createDemoWorkspace({ ...ports, now }, { userId: id, timezone });
  } catch (error) {
    await deleteVisitor(pool, id);
    throw error;
  }
  return { userId: id };
}

async function admit(
  { database }: VisitorPorts,
  { clientAddress, now }: { clientAddress: string; now: Temporal.Instant },
): Promise<void> {
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: database.auth }) });
  const spent = await spendInNetworks(db, { kind: 'demos', clientAddress, limit: ofNetwork, now });
  if (spent.isRefused) throw new RateLimited('Too many demos were opened from your network today.', spent);
}

/**
 * Creates an account without a password, usable in one browser only. False where there are too many visitors already.
 * @param auth of the role cuebird_auth
 */
async function insertVisitor(
  auth: Pool,
  { id, fullName, until, most }: { id: string; fullName: string; until: Temporal.Instant; most: number },
): Promise<boolean> {
  const { rowCount } = await auth.query(
    `insert into profiles (id, email, email_verified, full_name, is_demo, demo_until)
     select $1::uuid, 'visitor-' || $1::text || '@cuebird.example', true, $2, true, $3
      where (select count(*) from profiles where demo_until > now()) < $4`,
    [id, fullName, until.toString(), most],
  );
  return rowCount === 1;
}

const deleteVisitor = (auth: Pool, id: string) =>
  auth.query('delete from profiles where id = $1 and demo_until is not null', [id]);
