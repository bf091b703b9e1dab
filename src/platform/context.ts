import type { Role } from '#contract/workspaces.ts';
import type { Db } from '#platform/database.ts';

export type Actor = { kind: 'user'; userId: string };

/** Somebody signed in, before a workspace is chosen. `db` sees what belongs to this person only. */
export type PersonContext = { db: Db; actor: Actor; now: Temporal.Instant };

/** Somebody acting in a workspace. `db` sees this workspace only; every service verb takes this. */
export type TenantContext = PersonContext & { workspaceId: string; role: Role };
