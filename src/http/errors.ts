import { type ErrorCode, errorStatus, type FieldError } from '#contract/errors.ts';
import { AppError } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';

/** The API's error shape, with the status of its code. */
export function errorResponse(error: unknown, { requestId, log }: { requestId: string; log: Log }): Response {
  if (error instanceof AppError)
    return refusal(error.code, { message: error.message, fields: error.fields, requestId });
  log.error({ requestId, error: error instanceof Error ? error.stack : String(error) }, 'a request failed');
  return refusal('internal', { message: 'Something went wrong on our side. It has been logged.', requestId });
}

function refusal(
  code: ErrorCode,
  { message, fields, requestId }: { message: string; fields?: readonly FieldError[]; requestId: string },
): Response {
  const body = { error: { code, message, ...(fields === undefined ? {} : { fields }), request_id: requestId } };
  return Response.json(body, {
    status: errorStatus[code],
    headers: { 'x-request-id': requestId, 'cache-control': 'no-store' },
  });
}
