import { sql } from 'kysely';
import type pg from 'pg';
import type { AccountAction, ActDetails, Action } from '#contract/acts.ts';
import type { Actor, PersonContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';

/**
 * Writes a security-relevant act into the workspace's audit log, which is append-only. The database adds the actor's name and the
 * address of the request (`inTenant`).
 * @param act.target the id of what the act was done to; `details` has what `acts` names, so that the entry stays readable when the target
 *   is gone
 */
export async function recordAct(
  { db, workspaceId, actor, now }: { db: Db; workspaceId: string; actor: Actor | null; now: Temporal.Instant },
  act: { action: Exclude<Action, AccountAction>; target: string; details?: ActDetails },
): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      workspace_id: workspaceId,
      actor_id: actor === null ? null : actor.kind === 'user' ? actor.userId : actor.apiKeyId,
      action: act.action,
      target: act.target,
      details: JSON.stringify(act.details ?? {}),
      created_at: now.toString(),
    })
    .execute();
}

/** Records what somebody does to their own account, within their request: once without a workspace, and in each that they belong to. */
export async function recordOwnAct(
  { db, now }: PersonContext,
  { action, details = {} }: { action: AccountAction; details?: ActDetails },
): Promise<void> {
  await sql`select record_own_act(${action}, ${JSON.stringify(details)}, ${now.toString()})`.execute(db);
}

export type AccountAct = {
  /** The account that it was done to; one that does not exist is ignored. */
  account: { userId: string } | { email: string };
  /** False for what anybody who knows the address can do, such as entering a wrong password. */
  isByOwner: boolean;
  action: AccountAction;
  details?: ActDetails;
  clientAddress: string | null;
  now: Temporal.Instant;
};

/** Records an act on an account outside of a request's transaction, as the role of sign-in. */
export async function recordAccountAct(auth: Pick<pg.Pool, 'query'>, { account, ...act }: AccountAct): Promise<void> {
  const [column, value] = 'userId' in account ? ['id', account.userId] : ['email', account.email.toLowerCase()];
  await auth.query(`select record_account_act(id, $2, $3, $4, $5, $6) from profiles where ${column} = $1`, [
    value,
    act.isByOwner,
    act.action,
    JSON.stringify(act.details ?? {}),
    act.clientAddress,
    act.now.toString(),
  ]);
}

/** Records what an administrator does to the installation, as the role of sign-in. It belongs to no workspace. */
export async function recordInstallationAct(
  auth: Pick<pg.Pool, 'query'>,
  act: {
    actorId: string;
    action: Extract<Action, `admin.${string}`>;
    target: string;
    details: ActDetails;
    clientAddress: string;
    now: Temporal.Instant;
  },
): Promise<void> {
  // The database takes the client's address from this setting, which ends with the statement.
  await auth.query(
    `insert into audit_log (workspace_id, actor_id, action, target, details, created_at)
     select null, $1, $2, $3, $4, $5 from (select set_config('app.client_address', $6, true)) as address`,
    [act.actorId, act.action, act.target, JSON.stringify(act.details), act.now.toString(), act.clientAddress],
  );
}

/** Records what Cuebird does in a workspace by itself, as the role of the engine. */
export async function recordSystemAct(
  engine: Pick<pg.ClientBase, 'query'>,
  act: { workspaceId: string; action: Action; target: string; details: ActDetails; now: Temporal.Instant },
): Promise<void> {
  await engine.query(
    'insert into audit_log (workspace_id, action, target, details, created_at) values ($1, $2, $3, $4, $5)',
    [act.workspaceId, act.action, act.target, JSON.stringify(act.details), act.now.toString()],
  );
}
