import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

type Stored = {
  workspace_id: string;
  acts: {
    created_at: string;
    action: string;
    target: string | null;
    details: unknown;
    client_address: string | null;
  }[];
  push_devices: { endpoint: string; created_at: string }[];
};

/** What each of these workspaces stores about the caller: their newest acts, at most `most`, and their browsers. */
export async function findOwnRecords(
  db: Db,
  { workspaceIds, most }: { workspaceIds: readonly string[]; most: number },
): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select workspace_id, acts, push_devices from own_records(${workspaceIds}::uuid[], ${most})`.execute(db);
  return rows;
}
