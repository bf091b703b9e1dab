import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { InstallationSettings } from '#contract/admin-settings.ts';
import { type Route, isOutsideWorkspaces, scopesOf } from '#contract/route.ts';
import type { Scope } from '#contract/scopes.ts';
import { type Role, roles } from '#contract/workspaces.ts';
import type { Billing } from '#contract/plans.ts';
import { admitApiKey, findGoodKey } from '#features/api-keys/admission.service.ts';
import { refusalOf } from '#features/api-keys/request-limit.service.ts';
import { isSecondFactorOverdue } from '#features/auth/administrator-factor.service.ts';
import type { Auth, Person } from '#features/auth/auth.service.ts';
import type { PersonContext, TenantContext } from '#platform/context.ts';
import { type Db, inTenant, type Tenant } from '#platform/database.ts';
import { spendDemoBudget } from '#platform/demo-budget.ts';
import {
  beingDeleted,
  Forbidden,
  isSuspended,
  Invalid,
  NotFound,
  TwoFactorSetupRequired,
  Unprocessable,
} from '#platform/errors.ts';
import { sharedBy } from '#platform/fair-pool.ts';
import type { Sharers } from '#platform/fair-slots.ts';
import { AfterCommit, type InTransaction } from '#platform/handler.ts';
import { hopsIn } from '#platform/hops.ts';
import type { Schema } from '#platform/schema.ts';

export type GuardDeps = {
  auth: Pick<Auth, 'requirePerson' | 'assertReauthenticated'>;
  db: Kysely<Schema>;
  now: () => Temporal.Instant;
  settings: () => InstallationSettings;
  /** Whether plans limit what a workspace may do. */
  billing: Billing;
};

export type Admitted = PersonContext | TenantContext | null;

/** A request that was admitted. */
export type Admission = {
  /** The sender, for limits that are counted per sender; null on a public route. */
  sender: string | null;
  /** By whom costly work is counted: the workspace, to which the caller of a costly route belongs, and the sender. */
  sharers: Sharers;
  /** Throws ReauthenticationRequired, where the route declares that this body needs it. */
  assertReauthenticated(body: unknown): Promise<void>;
  /**
   * Runs the request's work in one transaction that sees only its workspace. Reading a body takes time, so the caller
   * of a request with a body is checked once more here.
   * @param sentBytes the size of the body of a request that may change something: a demo takes so many in all
   */
  enter<T>(work: (ctx: Admitted) => Promise<T>, sentBytes?: number): Promise<T>;
};

type Asking = {
  request: Request;
  clientAddress: string;
  deps: GuardDeps;
  /** Headers that the guard adds to the answer, whatever its status. */
  headers: Headers;
  /** Called with the id of the person or API key as soon as it is known, even if the request is refused then. */
  onCaller?: ((id: string) => void) | undefined;
};

type Guarded = Pick<
  Route,
  | 'method'
  | 'path'
  | 'access'
  | 'callers'
  | 'scope'
  | 'body'
  | 'answer'
  | 'limit'
  | 'isCostly'
  | 'beginsMessages'
  | 'needsReauthentication'
  | 'whileDeleted'
>;

/**
 * Admits a request only as its route's declaration says, before any of its body is read. A caller outside the workspace
 * gets "not found". No database connection is held between this and `enter`.
 */
export async function admit(route: Guarded, asking: Asking): Promise<Admission> {
  if (route.access === 'public')
    return { sender: null, sharers: {}, assertReauthenticated: async () => {}, enter: (work) => work(null) };
  const key = bearerOf(asking.request);
  const admission = await (key === null ? admitPerson(route, asking) : admitProgram(route, { ...asking, key }));
  if (route.method !== 'get') assertNoCircle(route, asking.request);
  return admission;
}

/** After the caller is known, so that their limit of requests counts this one too. */
function assertNoCircle({ beginsMessages }: Guarded, request: Request): void {
  if (hopsIn(request) > 0 && beginsMessages === true)
    throw new Unprocessable(
      'A message of Cuebird cannot do this: what it begins would not count how many requests led to it, and could go in a circle. POST /api/events and POST /api/notifications/send count them',
    );
}

async function admitPerson(route: Guarded, { request, clientAddress, deps, onCaller }: Asking): Promise<Admission> {
  const { access } = route;
  const { billing } = deps;
  const { userId, isDemo } = await personFor(route, { request, deps, onCaller });
  const actor = { kind: 'user' as const, userId };
  const workspaceId = isOutsideWorkspaces(access) ? null : workspaceOf(request);
  const spendBudget = (bytes: number) =>
    inTransaction(deps, {
      ...onlyOnce,
      tenant: { workspaceId, userId },
      sharers: { person: userId },
      work: async (db) => {
        if (workspaceId === null || isOutsideWorkspaces(access)) return;
        const { demo_until: demoUntil } = await membershipOf(db, { workspaceId, userId });
        if (demoUntil !== null) await spendDemoBudget(db, { workspaceId, bytes, now: deps.now() });
      },
    });
  const enter: Admission['enter'] = async (work, sentBytes) => {
    if (isDemo && sentBytes !== undefined) await spendBudget(sentBytes);
    return inTransaction(deps, {
      // Who is suspended has no session either. What a request has done itself, such as a deletion, takes nothing from its answer.
      assertKnown: async () => {
        if (route.method === 'get') await personFor(route, { request, deps });
      },
      recheck: async (db) => {
        if (workspaceId === null || isOutsideWorkspaces(access)) return;
        const member = await membershipOf(db, { workspaceId, userId });
        if (route.method === 'get') assertAdmitted(member, { ...route, access });
        else assertRank(member.role, access);
      },
      tenant: { workspaceId, userId, clientAddress, isReadOnly: isReadOnly(route) },
      sharers: sharersOf({ workspaceId, userId }),
      work: async (db) => {
        const now = deps.now();
        if (workspaceId === null || isOutsideWorkspaces(access)) return work({ db, actor, now, billing });
        const member = await membershipOf(db, { workspaceId, userId });
        assertAdmitted(member, { ...route, access });
        return work({ db, actor, now, workspaceId, role: member.role, billing });
      },
    });
  };
  const assertReauthenticated: Admission['assertReauthenticated'] = async (body) => {
    if (typeof route.needsReauthentication === 'function' && route.needsReauthentication(body))
      await deps.auth.assertReauthenticated(request.headers);
  };
  const isAskedFirst = route.body !== undefined || route.needsReauthentication !== undefined || route.isCostly === true;
  if (isAskedFirst) await enter(async () => {});
  // Checked after the role: somebody who may not do this at all is not asked to prove who they are.
  if (route.needsReauthentication === true) await deps.auth.assertReauthenticated(request.headers);
  const sharers = { person: userId, ...(workspaceId !== null && { workspace: workspaceId }) };
  if (route.body === undefined) return { sender: userId, sharers, assertReauthenticated, enter };
  return {
    sender: userId,
    sharers,
    assertReauthenticated,
    async enter(work, sentBytes) {
      await personFor(route, { request, deps });
      return enter(work, sentBytes);
    },
  };
}

/** GET requests run in a read-only transaction, except exports, which write to the audit log, and limited routes, which count. */
const isReadOnly = ({ method, answer, limit }: Guarded) => method === 'get' && answer !== 'file' && limit === undefined;

/** A transaction that no other follows. */
const onlyOnce = { recheck: async () => {} };

/**
 * Runs the request's work in one transaction. An `AfterCommit` begins when that has ended. It may go on for long, such as an export that is read slowly, so
 * its caller is checked again in each transaction.
 */
async function inTransaction<T>(
  { db }: GuardDeps,
  {
    tenant,
    sharers,
    assertKnown = async () => {},
    recheck,
    work,
  }: {
    tenant: Tenant;
    sharers: Sharers;
    /** Throws where the caller's session has ended. */
    assertKnown?: () => Promise<void>;
    recheck: (db: Db) => Promise<void>;
    work: (db: Db) => Promise<T>;
  },
): Promise<T> {
  const enter: InTransaction = (some) => sharedBy(sharers, () => inTenant(db, tenant, some));
  const answer = await enter(work);
  if (!(answer instanceof AfterCommit)) return answer;
  return answer.finish(async (some) => {
    await assertKnown();
    return enter(async (tx) => {
      await recheck(tx);
      return some(tx);
    });
  });
}

/**
 * The token of `Authorization: Bearer`; null without one. Other sites cannot make a browser send it. Where it is present the cookie is ignored, so
 * that a wrong key is refused.
 */
export function bearerOf(request: Request): string | null {
  const [scheme, ...rest] = (request.headers.get('authorization') ?? '').trim().split(/\s+/);
  return scheme?.toLowerCase() === 'bearer' ? rest.join(' ') : null;
}

async function personFor(
  { access, path }: Pick<Route, 'access' | 'path'>,
  { request, deps, onCaller }: Pick<Asking, 'request' | 'deps' | 'onCaller'>,
): Promise<Pick<Person, 'userId' | 'isDemo'>> {
  const person = await deps.auth.requirePerson(request.headers);
  onCaller?.(person.userId);
  if (access === 'system_admin' && !person.isSystemAdmin) throw new Forbidden('Only system administrators may do this');
  // Until the second factor is on, the whole console is refused, reading included.
  if (path.startsWith('/api/admin/') && isSecondFactorOverdue(person, { settings: deps.settings(), now: deps.now() }))
    throw new TwoFactorSetupRequired();
  return person;
}

/** Admits an API key: it belongs to one workspace, so the request need not name that. */
async function admitProgram(
  route: Guarded,
  { request, clientAddress, deps, headers, key, onCaller }: Asking & { key: string },
): Promise<Admission> {
  const { access, callers, body } = route;
  const { apiKeyId, workspaceId, ownedBy, scopes, role, quota, isDemo } = await admitApiKey(deps.db, {
    key,
    settings: { ...deps.settings(), billing: deps.billing },
    now: deps.now(),
  });
  onCaller?.(apiKeyId);
  if (quota !== null) {
    headers.set('ratelimit-limit', String(quota.limit));
    headers.set('ratelimit-remaining', String(quota.remaining));
    headers.set('ratelimit-reset', String(quota.resetSeconds));
    if (quota.isSpent) throw refusalOf(quota);
  }
  if (isOutsideWorkspaces(access) || callers === 'people')
    throw new Forbidden('An API key may not do this: sign in to do it');
  const named = nameOfWorkspaceIn(request);
  if (named !== null && named.toLowerCase() !== workspaceId)
    throw new Forbidden(
      'This API key belongs to another workspace: leave X-Workspace-Id out, the key implies its workspace',
    );
  assertScope(scopes, route);
  assertRank(role, access);
  // By its owner too: keys of several workspaces are no way to more.
  const sharers = { workspace: workspaceId, ...(ownedBy !== null && { person: ownedBy }) };
  return {
    sender: apiKeyId,
    sharers,
    assertReauthenticated: async () => {},
    async enter(work, sentBytes) {
      if (isDemo && sentBytes !== undefined)
        await inTransaction(deps, {
          ...onlyOnce,
          tenant: { workspaceId, userId: null, apiKeyId },
          sharers,
          work: (db) => spendDemoBudget(db, { workspaceId, bytes: sentBytes, now: deps.now() }),
        });
      return inTransaction(deps, {
        recheck: async (db) => void (await findGoodKey(db, { workspaceId, key, now: deps.now() })),
        tenant: { workspaceId, userId: null, apiKeyId, clientAddress, isReadOnly: isReadOnly(route) },
        sharers,
        work: async (db) => {
          const now = deps.now();
          if (body !== undefined) await findGoodKey(db, { workspaceId, key, now });
          const actor = { kind: 'api_key' as const, apiKeyId, scopes };
          return work({ db, actor, now, workspaceId, role, billing: deps.billing });
        },
      });
    },
  };
}

const nameOfWorkspaceIn = (request: Request) =>
  request.headers.get('x-workspace-id') ?? new URL(request.url).searchParams.get('workspace');

const WorkspaceId = z.uuid();

function workspaceOf(request: Request): string {
  const named = nameOfWorkspaceIn(request);
  if (named === null)
    throw new Invalid([{ path: 'X-Workspace-Id', message: 'Name the workspace in the header X-Workspace-Id' }]);
  const parsed = WorkspaceId.safeParse(named);
  if (!parsed.success) throw new NotFound('workspace');
  return parsed.data.toLowerCase();
}

type Membership = {
  role: Role;
  delete_after: string | null;
  suspended_at: string | null;
  demo_until: string | null;
};

/** Throws where a member of this role may not call the route, or nobody may while the workspace is as it is. */
function assertAdmitted(
  { role, delete_after: deleteAfter, suspended_at: suspendedAt }: Membership,
  { access, whileDeleted }: Pick<Route, 'whileDeleted'> & { access: Role },
): void {
  assertRank(role, access);
  if (deleteAfter !== null && whileDeleted !== true) throw beingDeleted(deleteAfter);
  if (suspendedAt !== null && whileDeleted !== true) throw isSuspended();
}

async function membershipOf(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<Membership> {
  const key = `${workspaceId} ${userId}`;
  const member = await db
    .selectFrom('workspace_members as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .where('m.workspace_id', '=', workspaceId)
    .where('m.user_id', '=', userId)
    .select(['m.role', 'w.delete_after', 'w.suspended_at', 'w.demo_until'])
    .executeTakeFirst();
  if (member === undefined) {
    knownMembers.delete(key);
    throw new NotFound('workspace');
  }
  knownMembers.set(key, true);
  return member;
}

/** Whose membership a transaction of this process has seen: a workspace that the caller only names, and need not belong to, is not charged. */
const knownMembers = new LRUCache<string, true>({ max: 20_000 });

const sharersOf = ({ workspaceId, userId }: { workspaceId: string | null; userId: string }): Sharers => ({
  person: userId,
  ...(workspaceId !== null && knownMembers.has(`${workspaceId} ${userId}`) && { workspace: workspaceId }),
});

function assertScope(scopes: readonly Scope[], route: Guarded): void {
  const needed = scopesOf(route);
  if (!needed.some((scope) => scopes.includes(scope)))
    throw new Forbidden(`This API key may not do this: it needs the scope ${needed.join(' or ')}`);
}

function assertRank(role: Role, access: Role): void {
  // Owner first: a smaller index is a higher role.
  if (roles.indexOf(role) > roles.indexOf(access)) {
    throw new Forbidden(
      access === 'owner' ? 'Only the owner of the workspace may do this' : 'Only workspace admins may do this',
    );
  }
}
