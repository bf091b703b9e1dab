import { type ErrorCode, errorStatus, type FieldError } from '#contract/errors.ts';
import {
  type DatabaseTrouble,
  databaseTroubleOf,
  databaseTroubleText,
  isLocked,
  isTimedOut,
  refusalOf,
} from '#platform/database.ts';
import { AppError, Forbidden, Unavailable } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';

type Answering = {
  requestId: string;
  log: Log;
  /** Aborts when a newer version has migrated the database. */
  superseded: AbortSignal;
  headers?: Headers;
};

/** The API's error shape, with the status of its code. */
export function errorResponse(
  error: unknown,
  { requestId, log, superseded, headers = new Headers() }: Answering,
): Response {
  if (error instanceof AppError) {
    for (const [name, value] of Object.entries(error.headers)) headers.set(name, value);
    const { code, message, resource, fields } = error;
    return refusal(code, { message, resource, fields, requestId, headers });
  }
  // The database refused it, because a role was lost after the guard had admitted the request.
  const refused = refusalOf(error);
  if (refused !== null) return errorResponse(new Forbidden(refused), { requestId, log, superseded, headers });
  if (isTimedOut(error)) {
    log.warn({ requestId, error: String(error) }, 'a statement took too long');
    return errorResponse(tookTooLong(), { requestId, log, superseded, headers });
  }
  if (isLocked(error)) {
    log.warn({ requestId }, 'another request held a lock for too long');
    return errorResponse(locked(), { requestId, log, superseded, headers });
  }
  const trouble = databaseTroubleOf(error);
  if (trouble !== null) {
    log.error({ requestId, trouble, error: String(error) }, 'the database does not do its work');
    return errorResponse(unavailable(trouble), { requestId, log, superseded, headers });
  }
  if (superseded.aborted) {
    log.warn({ requestId, error: String(error) }, 'a request failed: a newer version has migrated the database');
    return errorResponse(outdated(), { requestId, log, superseded, headers });
  }
  log.error({ requestId, error: error instanceof Error ? error.stack : String(error) }, 'a request failed');
  return refusal('internal', { message: 'Something went wrong on our side. It has been logged.', requestId, headers });
}

const tookTooLong = () =>
  new Unavailable('This took too long and was stopped. Try again in a minute, or ask for less at a time.', {
    retryAfterSeconds: 60,
  });

const locked = () =>
  new Unavailable(
    'Another request is changing the same things, such as an import of contacts. Nothing was changed. Try again in a few seconds.',
    { retryAfterSeconds: 5 },
  );

/** This version does not know the schema. */
const outdated = () =>
  new Unavailable(
    'A newer version of Cuebird has taken over its database, and this older one is still running. Try again in a minute; an administrator has to stop the older one.',
    { retryAfterSeconds: 60 },
  );

const unavailable = (trouble: DatabaseTrouble) =>
  new Unavailable(databaseTroubleText[trouble], {
    retryAfterSeconds: trouble === 'full' || trouble === 'read_only' ? 60 : 15,
  });

function refusal(
  code: ErrorCode,
  {
    message,
    resource,
    fields,
    requestId,
    headers,
  }: {
    message: string;
    resource?: string | undefined;
    fields?: readonly FieldError[] | undefined;
    requestId: string;
    headers: Headers;
  },
): Response {
  const named = fields === undefined ? {} : firstOf(fields);
  const body = { error: { code, message: cut(message, 500), resource, ...named, request_id: requestId } };
  headers.set('x-request-id', requestId);
  headers.set('cache-control', 'no-store');
  return Response.json(body, { status: errorStatus[code], headers });
}

/** Paths and messages repeat what callers have sent, so they are cut: the answer does not grow with the request. */
const answerLimits = { fields: 50, bytes: 48 * 1024 };

function firstOf(fields: readonly FieldError[]): { fields: FieldError[]; more_fields?: number } {
  const named: FieldError[] = [];
  let bytes = 0;
  for (const { path, message } of fields.slice(0, answerLimits.fields)) {
    const field = { path: cut(path, 200), message: cut(message, 500) };
    bytes += Buffer.byteLength(JSON.stringify(field));
    if (bytes > answerLimits.bytes) break;
    named.push(field);
  }
  const more = fields.length - named.length;
  return more === 0 ? { fields: named } : { fields: named, more_fields: more };
}

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
