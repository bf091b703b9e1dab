import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';
import { InstantText } from '#contract/common.ts';
import * as sql from '#engine/pause/database-location.sql.ts';
import { standbyRefused, UnfitDatabase } from '#platform/migrate.ts';

/**
 * Where deliveries ran: the cluster (null when we may not read its identity), the database, because a copy may run in the same cluster as its
 * original, and the timeline (null when we may not read it), because a standby has the identity of its primary. `waitsForStandby`: the server had
 * each commit on a standby, as it was last seen at `seenAt`.
 */
export const DatabaseLocation = z.object({
  cluster: z.string().nullable(),
  database: z.string(),
  timeline: z.string().nullable().default(null),
  waitsForStandby: z.boolean().default(false),
  seenAt: InstantText.nullable().default(null),
});
export type DatabaseLocation = z.output<typeof DatabaseLocation>;

/** @throws UnfitDatabase where the server is a standby */
export async function readLocation(
  db: Pick<ClientBase | Pool, 'query'>,
  now: Temporal.Instant,
): Promise<DatabaseLocation> {
  const { rows } = await db.query<ServerState>(sql.serverState);
  const [server] = rows;
  if (server === undefined) throw new Error('a select of the state of the server answered no row');
  if (server.is_standby) throw new UnfitDatabase(standbyRefused);
  return {
    cluster: server.may_read_cluster ? await readText(db, sql.cluster) : null,
    database: server.database,
    timeline: server.may_read_timeline ? await readText(db, sql.timeline) : null,
    waitsForStandby: server.waits_for_standby,
    seenAt: now.toString(),
  };
}

type ServerState = {
  is_standby: boolean;
  may_read_cluster: boolean;
  may_read_timeline: boolean;
  waits_for_standby: boolean;
  database: string;
};

async function readText(db: Pick<ClientBase | Pool, 'query'>, statement: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(statement);
  return rows[0]?.id ?? null;
}

export const isElsewhere = (last: DatabaseLocation, here: DatabaseLocation) =>
  last.database !== here.database || (last.cluster !== null && here.cluster !== null && last.cluster !== here.cluster);

export const hasOtherTimeline = (last: DatabaseLocation, here: DatabaseLocation) =>
  last.timeline !== null && here.timeline !== null && last.timeline !== here.timeline;
