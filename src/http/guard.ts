import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Access } from '#contract/route.ts';
import { type Role, roles } from '#contract/workspaces.ts';
import type { Auth, Person } from '#features/auth/auth.service.ts';
import type { PersonContext, TenantContext } from '#platform/context.ts';
import { type Db, inTenant } from '#platform/database.ts';
import { Forbidden, Invalid, NotFound, Unauthenticated } from '#platform/errors.ts';
import type { Schema } from '#platform/schema.ts';

export type GuardDeps = { auth: Auth; db: Kysely<Schema>; now: () => Temporal.Instant };

/**
 * The one guard: lets a request through only as its route's declaration says, and runs it in a transaction that sees
 * nothing but its workspace. A stranger to the workspace is told that there is none.
 */
export async function admit<T>(
  access: Access,
  {
    request,
    deps,
    run,
  }: { request: Request; deps: GuardDeps; run: (ctx: PersonContext | TenantContext | null) => Promise<T> },
): Promise<T> {
  if (access === 'public') return run(null);
  const person = await deps.auth.sessionOf(request.headers);
  if (person === null) throw new Unauthenticated();
  const actor = { kind: 'user' as const, userId: person.userId };
  const now = deps.now();
  if (access === 'user') {
    return inTenant(deps.db, { workspaceId: null, userId: person.userId }, (db) => run({ db, actor, now }));
  }
  const workspaceId = workspaceOf(request);
  return inTenant(deps.db, { workspaceId, userId: person.userId }, async (db) => {
    const role = await roleOf(db, { workspaceId, person });
    assertRank(role, access);
    return run({ db, actor, now, workspaceId, role });
  });
}

function workspaceOf(request: Request): string {
  const named = request.headers.get('x-workspace-id') ?? new URL(request.url).searchParams.get('workspace');
  if (named === null)
    throw new Invalid([{ path: 'X-Workspace-Id', message: 'Name the workspace in the header X-Workspace-Id' }]);
  const parsed = z.uuid().safeParse(named);
  if (!parsed.success) throw new NotFound('workspace');
  return parsed.data.toLowerCase();
}

async function roleOf(db: Db, { workspaceId, person }: { workspaceId: string; person: Person }): Promise<Role> {
  const member = await db
    .selectFrom('workspace_members')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', person.userId)
    .select('role')
    .executeTakeFirst();
  if (member === undefined) throw new NotFound('workspace');
  return member.role;
}

function assertRank(role: Role, access: Role): void {
  // Owner first: a smaller place in the list is a higher rank.
  if (roles.indexOf(role) > roles.indexOf(access)) {
    throw new Forbidden(
      access === 'owner' ? 'Only the owner of the workspace may do this' : 'Only workspace admins may do this',
    );
  }
}
