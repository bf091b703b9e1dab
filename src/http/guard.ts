import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type Access, isOutsideWorkspaces, type Route } from '#contract/route.ts';
import { type Role, roles } from '#contract/workspaces.ts';
import { admitApiKey } from '#features/api-keys/admission.service.ts';
import { refusalOf } from '#features/api-keys/request-limit.service.ts';
import type { Auth, Person } from '#features/auth/auth.service.ts';
import type { PersonContext, TenantContext } from '#platform/context.ts';
import { type Db, inTenant, type Tenant } from '#platform/database.ts';
import { Forbidden, Invalid, NotFound, Unauthenticated } from '#platform/errors.ts';
import { AfterCommit, type InTransaction } from '#platform/handler.ts';
import type { Schema } from '#platform/schema.ts';

export type GuardDeps = { auth: Auth; db: Kysely<Schema>; now: () => Temporal.Instant };

export type Admitted = PersonContext | TenantContext | null;

type Admission<T> = {
  request: Request;
  deps: GuardDeps;
  /** What the guard has to say in the answer, whatever that will be. */
  headers: Headers;
  run: (ctx: Admitted) => Promise<T>;
};

/**
 * The one guard: lets a request through only as its route's declaration says, and runs it in a transaction that sees
 * nothing but its workspace. A stranger to the workspace is told that there is none.
 */
export async function admit<T>(route: Pick<Route, 'access' | 'callers'>, admission: Admission<T>): Promise<T> {
  const { access } = route;
  const { request, deps, run } = admission;
  if (access === 'public') return run(null);
  const key = bearerOf(request);
  if (key !== null) return admitProgram({ access, callers: route.callers }, { ...admission, key });
  const person = await deps.auth.sessionOf(request.headers);
  if (person === null) throw new Unauthenticated();
  const actor = { kind: 'user' as const, userId: person.userId };
  const now = deps.now();
  if (access === 'system_admin' && !person.isSystemAdmin) throw new Forbidden('Only system administrators may do this');
  if (isOutsideWorkspaces(access)) {
    return enter(deps, { workspaceId: null, userId: person.userId }, (db) => run({ db, actor, now }));
  }
  const workspaceId = workspaceOf(request);
  return enter(deps, { workspaceId, userId: person.userId }, async (db) => {
    const role = await roleOf(db, { workspaceId, person });
    assertRank(role, access);
    return run({ db, actor, now, workspaceId, role });
  });
}

/** Runs the request's work in one transaction; what it leaves to be finished begins when that has ended. */
async function enter<T>({ db }: GuardDeps, tenant: Tenant, work: (db: Db) => Promise<T>): Promise<T> {
  const inTransaction: InTransaction = (some) => inTenant(db, tenant, some);
  const answer = await inTransaction(work);
  return answer instanceof AfterCommit ? answer.finish(inTransaction) : answer;
}

/**
 * What comes with `Authorization: Bearer`, null without it. A browser sends that for no foreign page, and where it is
 * there it alone counts: a request with a bad key is never saved by a cookie.
 */
export function bearerOf(request: Request): string | null {
  const [scheme, ...rest] = (request.headers.get('authorization') ?? '').trim().split(/\s+/);
  return scheme?.toLowerCase() === 'bearer' ? rest.join(' ') : null;
}

/** A key is of one workspace, so the request need not name it. */
async function admitProgram<T>(
  { access, callers }: { access: Exclude<Access, 'public'>; callers: Route['callers'] },
  { request, deps, headers, run, key }: Admission<T> & { key: string },
): Promise<T> {
  const now = deps.now();
  const { apiKeyId, workspaceId, role, quota } = await admitApiKey(deps.db, { key, now });
  headers.set('ratelimit-limit', String(quota.limit));
  headers.set('ratelimit-remaining', String(quota.remaining));
  headers.set('ratelimit-reset', String(quota.resetSeconds));
  if (quota.isSpent) throw refusalOf(quota);
  if (isOutsideWorkspaces(access) || callers === 'people')
    throw new Forbidden('An API key may not do this: sign in and do it in person');
  const named = nameOfWorkspaceIn(request);
  if (named !== null && named.toLowerCase() !== workspaceId)
    throw new Forbidden('This API key is of another workspace: leave X-Workspace-Id out, the key says which it is');
  assertRank(role, access);
  return enter(deps, { workspaceId, userId: null, apiKeyId }, (db) =>
    run({ db, actor: { kind: 'api_key', apiKeyId }, now, workspaceId, role }),
  );
}

const nameOfWorkspaceIn = (request: Request) =>
  request.headers.get('x-workspace-id') ?? new URL(request.url).searchParams.get('workspace');

function workspaceOf(request: Request): string {
  const named = nameOfWorkspaceIn(request);
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
