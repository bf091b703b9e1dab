import { type Kysely, sql } from 'kysely';
import type { Auth } from '#features/auth/auth.service.ts';
import { getProfile } from '#features/profile/profile.service.ts';
import { requestsOf, type SupportPorts } from '#features/support/support.service.ts';
import { listWorkspaces } from '#features/workspaces/workspaces.service.ts';
import { recordOwnAct } from '#platform/audit.ts';
import type { PersonContext } from '#platform/context.ts';
import { type Db, inTenant } from '#platform/database.ts';
import { fileResponse } from '#platform/file-stream.ts';
import type { Schema } from '#platform/schema.ts';

type Deps = { auth: Pick<Auth, 'signInsOf'>; db: Kysely<Schema>; supportDb: SupportPorts['db'] };

/** How many of the newest acts in each workspace the file has; few people have more. Acts on the account itself are in the log of each. */
const actsInFile = 1_000;

/** How many workspaces one transaction reads. */
const workspacesAtOnce = 20;

/**
 * What is stored about the person, as one JSON file without secrets. It is written some workspaces at a time, each time in a transaction of its
 * own, which begins once the ones before were sent. Contents of workspaces belong to these, and are exported there.
 */
export async function ownDataFile(ctx: PersonContext, deps: Deps): Promise<Response> {
  const { userId } = ctx.actor;
  const profile = await getProfile(ctx);
  const workspaces = await listWorkspaces(ctx);
  await recordOwnAct(ctx, { action: 'account.data_downloaded' });
  const { sessions, sign_in_methods } = await deps.auth.signInsOf(userId);
  const support_requests = await requestsOf(deps.supportDb, userId);
  const head = { exported_at: ctx.now.toString(), profile, sign_in_methods, sessions, support_requests };

  async function* parts(): AsyncGenerator<string> {
    yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "workspaces": [`;
    for (let at = 0; at < workspaces.length; at += workspacesAtOnce) {
      const some = workspaces.slice(at, at + workspacesAtOnce);
      const of = { workspaceIds: some.map(({ id }) => id), most: actsInFile };
      const stored = await inTenant(deps.db, { workspaceId: null, userId }, (db) => findOwnRecords(db, of));
      const storedIn = new Map(stored.map(({ workspace_id: id, acts, push_devices }) => [id, { acts, push_devices }]));
      const texts = some.map(({ id, name, role }) => {
        const { acts = [], push_devices = [] } = storedIn.get(id) ?? {};
        return JSON.stringify({ id, name, role, push_devices: push_devices.map(deviceOf), acts }, null, 2);
      });
      yield `${at === 0 ? '' : ','}\n${texts.join(',\n')}`;
    }
    yield '\n  ]\n}\n';
  }

  return fileResponse({ name: 'cuebird-my-data.json', mediaType: 'application/json', parts: parts() });
}

/** Without the full endpoint, with which anybody could send to the browser. */
const deviceOf = ({ endpoint, created_at }: { endpoint: string; created_at: string }) => ({
  service: new URL(endpoint).host,
  created_at,
});

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
async function findOwnRecords(
  db: Db,
  { workspaceIds, most }: { workspaceIds: readonly string[]; most: number },
): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select workspace_id, acts, push_devices from own_records(${workspaceIds}::uuid[], ${most})`.execute(db);
  return rows;
}
