import type { z } from 'zod';
import { ErrorAnswer, type FieldError } from '#contract/errors.ts';
import type { Route } from '#contract/route.ts';
import { rememberedWorkspaceId } from '#web/api/current-workspace.ts';

/**
 * An error response of the API, or a failure to reach it (`status` 0, `code` 'unreachable'). Its message can be shown
 * to users.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** What was not found; null for every other refusal. */
  readonly resource: string | null;
  readonly fields: FieldError[];
  readonly requestId: string | null;
  /** After how many seconds the server allows another request; null when it does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(refusal: {
    status: number;
    code: string;
    message: string;
    resource?: string | undefined;
    fields?: FieldError[];
    requestId?: string;
    retryAfterSeconds?: number | null;
  }) {
    super(refusal.message);
    this.name = 'ApiError';
    this.status = refusal.status;
    this.code = refusal.code;
    this.resource = refusal.resource ?? null;
    this.fields = refusal.fields ?? [];
    this.requestId = refusal.requestId ?? null;
    this.retryAfterSeconds = refusal.retryAfterSeconds ?? null;
  }
}

/** The inputs of a route: `params`, `query` and `body` as it declares them, each optional when `{}` is valid. */
export type RequestOf<R extends Route> = Part<R, 'params'> &
  Part<R, 'query'> &
  Part<R, 'body'> & {
    signal?: AbortSignal;
    /** The server runs repeated requests with the same key only once. */
    idempotencyKey?: string;
    /** The workspace that the request names; the current one by default. */
    workspaceId?: string;
  };

type Part<R, K extends 'params' | 'query' | 'body'> =
  R extends Record<K, infer S extends z.ZodType>
    ? Record<never, never> extends z.input<S>
      ? { [name in K]?: z.input<S> }
      : { [name in K]: z.input<S> }
    : { [name in K]?: undefined };

/** Whether a thing does not exist, or may not be seen by the caller. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && ['invalid_request', 'forbidden', 'not_found'].includes(error.code);

/** Whether the page's address names a thing that does not exist, or has no id in its place. */
export const isNotHere = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.fields.some(({ path }) => path === 'id'));

let reauthenticate: (() => Promise<boolean>) | null = null;

/** Sets the function that asks the person who they are. It resolves to whether they have proved it. */
export const reauthenticateWith = (ask: () => Promise<boolean>): void => void (reauthenticate = ask);

/** Sends a request, and again after the person has proved who they are, if the server requires that. */
export async function withReauthentication<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'reauthentication_required' || reauthenticate === null)
      throw cause;
    if (await reauthenticate()) return send();
    throw new ApiError({
      status: 403,
      code: cause.code,
      message: 'Nothing was changed, since you did not confirm that it is you.',
    });
  }
}

/**
 * Calls a declared route for the current workspace, or the one that the request names, and returns the parsed response.
 * @throws ApiError for every error response, and when the server is unreachable or sends another shape.
 */
export const call = <R extends Route, A extends z.ZodType>(
  route: R & { answer: A },
  ...[request]: Record<never, never> extends RequestOf<R> ? [RequestOf<R>?] : [RequestOf<R>]
): Promise<z.output<A>> => withReauthentication(() => callOnce(route, request ?? {}));

/** `call` without asking the person who they are. */
export async function callOnce<A extends z.ZodType>(
  route: Route & { answer: A },
  { params, query, body, signal, idempotencyKey, workspaceId }: AnyRequest,
): Promise<z.output<A>> {
  const response = await reach(pathOf(route.path, params) + searchOf(query), {
    method: route.method.toUpperCase(),
    headers: headersFor({ hasBody: body !== undefined, idempotencyKey, workspaceId }),
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  });
  const answer: unknown = response.status === 204 ? {} : await jsonOf(response);
  if (!response.ok) throw refusalOf(response, answer);
  const shape: A = route.answer;
  const parsed = shape.safeParse(answer);
  if (!parsed.success) throw unexpectedAnswer(response, parsed.error);
  return parsed.data;
}

type AnyRequest = {
  params?: object;
  query?: object;
  body?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
  workspaceId?: string;
};

type PageOf<Item> = { data: Item[]; next_cursor: string | null };

/** Reads all pages of a list. */
export async function allOf<Item>(pageAt: (cursor: string | undefined) => Promise<PageOf<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page = await pageAt(cursor);
    items.push(...page.data);
    cursor = page.next_cursor;
  }
  return items;
}

/** `fetch` for our own origin. A network failure becomes an ApiError; an abort is rethrown unchanged. */
export async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { credentials: 'same-origin', ...init });
  } catch (cause) {
    throw faultOf(cause);
  }
}

/**
 * The body as JSON, or null when it is not JSON (a proxy's error page, for example). Aborts and network failures while
 * the body is read are handled as in `reach`.
 */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw faultOf(cause);
  }
}

function faultOf(cause: unknown): unknown {
  if (cause instanceof DOMException && cause.name === 'AbortError') return cause;
  return new ApiError({
    status: 0,
    code: 'unreachable',
    message: 'Cuebird cannot be reached. Check your connection and try again.',
  });
}

function headersFor({
  hasBody,
  idempotencyKey,
  workspaceId = rememberedWorkspaceId() ?? undefined,
}: {
  hasBody: boolean;
  idempotencyKey: string | undefined;
  workspaceId: string | undefined;
}): Headers {
  const headers = new Headers({ accept: 'application/json' });
  if (hasBody) headers.set('content-type', 'application/json');
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey);
  if (workspaceId) headers.set('x-workspace-id', workspaceId);
  return headers;
}

function pathOf(path: string, params: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params));
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
}

function searchOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search && `?${search}`;
}

/** The API's error response as an ApiError whose message can be shown to users. */
export function refusalOf(response: Response, answer: unknown): ApiError {
  const parsed = ErrorAnswer.safeParse(answer);
  if (!parsed.success) return serverTrouble(response);
  const { code, message, resource, fields, request_id: requestId } = parsed.data.error;
  return new ApiError({
    status: response.status,
    code,
    message,
    resource,
    fields,
    requestId,
    retryAfterSeconds: retryAfterOf(response),
  });
}

function retryAfterOf({ headers }: Response): number | null {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) : null;
}

function serverTrouble({ status }: Response): ApiError {
  return new ApiError({ status, code: 'internal', message: `Cuebird could not answer (HTTP ${status}). Try again.` });
}

function unexpectedAnswer(response: Response, mismatch: z.ZodError): ApiError {
  console.error(`Unexpected answer of ${response.url}`, mismatch.issues);
  return new ApiError({
    status: response.status,
    code: 'unexpected_answer',
    message: 'This page is older than the server. Reload it and try again.',
  });
}
