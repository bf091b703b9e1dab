import type { Scope } from '#contract/scopes.ts';
import type { Role } from '#contract/workspaces.ts';
import type { Billing } from '#contract/plans.ts';
import type { Db } from '#platform/database.ts';

export type PersonActor = { kind: 'user'; userId: string };

/** The actor: a person, or a program with an API key of the workspace. */
export type Actor = PersonActor | { kind: 'api_key'; apiKeyId: string; scopes: readonly Scope[] };

/** The acting person, null for a program. */
export const personOf = (actor: Actor): string | null => (actor.kind === 'user' ? actor.userId : null);

/** The API key of the acting program, null for a person. */
export const apiKeyOf = (actor: Actor): string | null => (actor.kind === 'api_key' ? actor.apiKeyId : null);

/** The context of a signed-in person without a workspace. `db` sees only this person's rows. */
export type PersonContext = { db: Db; actor: PersonActor; now: Temporal.Instant; billing?: Billing };

/** The context of an actor in a workspace. `db` sees only this workspace's rows; every service function takes this. */
export type TenantContext = {
  db: Db;
  actor: Actor;
  now: Temporal.Instant;
  workspaceId: string;
  role: Role;
  /** Whether plans limit what the workspace may do; off where it is left out. */
  billing?: Billing;
};

/** The context of a signed-in member, on a route that refuses API keys. */
export type MemberContext = TenantContext & { actor: PersonActor };
