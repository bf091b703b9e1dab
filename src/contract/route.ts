import type { z } from 'zod';

/**
 * Who may call a route. `public`: anyone. `user`: anyone signed in. `system_admin`: who administers the installation. `member`, `admin`, `owner`: at least that role in the
 * workspace that the request names (header `X-Workspace-Id`, or `?workspace=` where a header cannot be sent).
 */
export type Access = 'public' | 'user' | 'system_admin' | 'member' | 'admin' | 'owner';

/** Has to do with no workspace, so that none is named. */
export const isOutsideWorkspaces = (access: Access) =>
  access === 'public' || access === 'user' || access === 'system_admin';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A route as plain data: the server registers it, the OpenAPI page lists it, the web's client calls it. */
export type Route = {
  method: Method;
  /** `/api/reminders/:id`; parameters are named by a colon. */
  path: `/api/${string}`;
  access: Access;
  /** API keys may call what their role may, on every route of a workspace but those for people alone. */
  callers?: 'people';
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** How large the body may be; 1 MiB unless told. */
  maxBodyKiB?: number;
  /** The shape of a success. `stream` and `file` answers write their own bytes. */
  answer: z.ZodType | 'stream' | 'file';
  /** The status of a success; 200 unless told. */
  status?: 200 | 201 | 202 | 204;
  /** The route keeps its own keys, where others have the `Idempotency-Key`, and answers what came before with this status. */
  repeatStatus?: 200;
  /** The answer holds a secret: what is kept of it for a repeated request is sealed. */
  holdsSecret?: true;
};

export const route = <const R extends Route>(declared: R): R => declared;
