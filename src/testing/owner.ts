import { type Client, types } from 'pg';
import { DatabaseClient } from '#platform/database-client.ts';
import type { Role } from '#contract/workspaces.ts';

/** A connection as the owner of a test database, which bypasses row-level security. Instants are returned as text. */
export async function connectOwner(url: string): Promise<Client> {
  const client = new DatabaseClient({ connectionString: url });
  client.setTypeParser(types.builtins.TIMESTAMPTZ, (text: string) => text);
  await client.connect();
  return client;
}

export async function addMember(
  owner: Client,
  { workspace, userId, role }: { workspace: string; userId: string; role: Role },
): Promise<void> {
  await owner.query('insert into workspace_members (workspace_id, user_id, role) values ($1, $2, $3)', [
    workspace,
    userId,
    role,
  ]);
}
