import type { Role } from '#contract/workspaces.ts';
import type { Db } from '#platform/database.ts';

export type PersonActor = { kind: 'user'; userId: string };

/** Who acts: a person, or a program with a key of the workspace. */
export type Actor = PersonActor | { kind: 'api_key'; apiKeyId: string };

/** The person who acts, null when it is a program. */
export const personOf = (actor: Actor): string | null => (actor.kind === 'user' ? actor.userId : null);

/** Somebody signed in, before a workspace is chosen. `db` sees what belongs to this person only. */
export type PersonContext = { db: Db; actor: PersonActor; now: Temporal.Instant };

/** Somebody acting in a workspace. `db` sees this workspace only; every service verb takes this. */
export type TenantContext = { db: Db; actor: Actor; now: Temporal.Instant; workspaceId: string; role: Role };

/** A member acting in person, on a route that is for people alone. */
export type MemberContext = TenantContext & { actor: PersonActor };
