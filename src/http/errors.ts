import { type ErrorCode, errorStatus, type FieldError } from '#contract/errors.ts';
import { AppError } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';

/** The API's error shape, with the status of its code. */
export function errorResponse(
  error: unknown,
  { requestId, log, headers = new Headers() }: { requestId: string; log: Log; headers?: Headers },
): Response {
  if (error instanceof AppError) {
    for (const [name, value] of Object.entries(error.headers)) headers.set(name, value);
    return refusal(error.code, { message: error.message, fields: error.fields, requestId, headers });
  }
  log.error({ requestId, error: error instanceof Error ? error.stack : String(error) }, 'a request failed');
  return refusal('internal', { message: 'Something went wrong on our side. It has been logged.', requestId, headers });
}

function refusal(
  code: ErrorCode,
  {
    message,
    fields,
    requestId,
    headers,
  }: { message: string; fields?: readonly FieldError[]; requestId: string; headers: Headers },
): Response {
  const body = { error: { code, message, ...(fields === undefined ? {} : { fields }), request_id: requestId } };
  headers.set('x-request-id', requestId);
  headers.set('cache-control', 'no-store');
  return Response.json(body, { status: errorStatus[code], headers });
}
