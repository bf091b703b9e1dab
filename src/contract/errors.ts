import { z } from 'zod';

/** Every error code of the API with its HTTP status. */
export const errorStatus = {
  invalid_request: 400,
  unauthenticated: 401,
  /** The session is signed in, but has not given the code of its second factor yet. */
  second_factor_required: 401,
  forbidden: 403,
  /** Administrators have to turn a second factor on, and this one's time to do so has passed. */
  two_factor_setup_required: 403,
  /** The same request is accepted after `POST /api/reauthentication`. */
  reauthentication_required: 403,
  /** The plan of the workspace, or of its owner, does not include it. */
  plan_limit: 403,
  not_found: 404,
  too_slow: 408,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  /** The installation is closed for maintenance. */
  maintenance: 503,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const ErrorAnswer = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    /** What was not found, such as `workspace`. */
    resource: z.string().optional(),
    /** The invalid values and the reasons; `path` has the form `content.recipients.0`. */
    fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    /** The number of invalid values that `fields` omits. */
    more_fields: z.number().int().optional(),
    request_id: z.string(),
  }),
});

export type FieldError = { path: string; message: string };
