import type { z } from 'zod';
import { IdParams } from '#contract/common.ts';
import type { Usage } from '#contract/limits.ts';
import type { Scope } from '#contract/scopes.ts';

/**
 * Who may call a route. `public`: anyone. `user`: any signed-in user. `system_admin`: an administrator of the installation. `member`,
 * `admin`, `owner`: a user with at least that role in the workspace of the request (header `X-Workspace-Id`, or `?workspace=` where
 * a header cannot be sent).
 */
export type Access = 'public' | 'user' | 'system_admin' | 'member' | 'admin' | 'owner';

/** The route belongs to no workspace, so the request names none. */
export const isOutsideWorkspaces = (access: Access) =>
  access === 'public' || access === 'user' || access === 'system_admin';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * A route as plain data: the server registers it, the OpenAPI page lists it, the web client calls it, and the tests call it as
 * anonymous, member, admin, owner and outsider. A route without `access` or without a handler does not compile.
 */
export type Route = {
  method: Method;
  /** The path, such as `/api/reminders/:id`; a colon starts a parameter. Those of the API begin with `/api`, the others are pages. */
  path: `/${string}`;
  access: Access;
  /** API keys may call every workspace route that their scopes allow, except those with `people`. */
  callers?: 'people';
  /** The scopes of which an API key needs one, where `scopesOf` does not follow from the method. */
  scope?: readonly Scope[];
  /** The route also works while the workspace is being deleted or is suspended. */
  whileDeleted?: true;
  /** The route also works, for everybody, while the installation is closed for maintenance. */
  inMaintenance?: true;
  summary: string;
  /** The path's parameters, where there are others than `:id`. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The maximum body size; 1 MiB by default. */
  maxBodyKiB?: number;
  /** The maximum number of JSON values in the body; 20,000 by default. */
  maxBodyValues?: number;
  /** The schema of a successful answer. `stream` and `file` handlers write their own bytes. */
  answer: z.ZodType | 'stream' | 'file';
  /** The status of a successful answer; 200 by default. */
  status?: 200 | 201 | 202 | 204;
  /** A POST that changes nothing: it may be sent again, and its answer is not kept for an Idempotency-Key. */
  changesNothing?: true;
  /**
   * What it begins may send messages that count from zero how many requests of Cuebird led to them: a request of Cuebird may not call it, since a
   * message that begins its like would have no end.
   */
  beginsMessages?: true;
  /** The route stores its own idempotency keys, and answers a repeated request with this status. */
  repeatStatus?: 200;
  /** The usage is counted before the handler runs; `cost` is the weight of one request, 1 by default. */
  limit?: { usage: Usage; cost?: (body: unknown) => number };
  /**
   * Only for sessions that proved who uses them within the last ten minutes, by signing in or otherwise; others get `reauthentication_required`. API
   * keys are not asked. A function says which bodies need it.
   */
  needsReauthentication?: true | ((body: unknown) => boolean);
  /** After this time an answer is of no use to the caller: the request then fails as unavailable, whatever it waits for. */
  answerWithinMs?: number;
  /** The work is costly: a few requests of one workspace, and of one person, run at a time, and the others wait. */
  isCostly?: true;
  /** The answer contains a secret: the copy that is stored for repeated requests is encrypted. */
  holdsSecret?: true;
};

type PathWithId = `/api/${string}/:id` | `/api/${string}/:id/${string}`;
type ApiPath = `/api/${string}`;
type Declared = Omit<Route, 'method' | 'path'>;

/** Declares routes of a method. The parameter of a path with `:id` is an id, unless `params` says something else. */
function declaring<const M extends Method>(method: M) {
  function declare<const P extends PathWithId, const R extends Declared & { params?: never }>(
    path: P,
    declared: R,
  ): R & { method: M; path: P; params: typeof IdParams };
  function declare<const P extends ApiPath, const R extends Declared>(path: P, declared: R): R & { method: M; path: P };
  function declare(path: ApiPath, declared: Declared): Route {
    return { method, path, ...(path.split('/').includes(':id') && { params: IdParams }), ...declared };
  }
  return declare;
}

export const get = declaring('get');
export const post = declaring('post');
export const put = declaring('put');
export const patch = declaring('patch');
export const del = declaring('delete');

/** The scopes of which a key needs one to call a route: what the route declares, else `read` to get something and `manage` for the rest. */
export const scopesOf = ({ method, scope }: Pick<Route, 'method' | 'scope'>): readonly Scope[] =>
  scope ?? [method === 'get' ? 'read' : 'manage'];
