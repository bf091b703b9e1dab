import type { ErrorCode, FieldError } from '#contract/errors.ts';

/** A refusal that a caller can act on: it becomes the API's error shape with the status of its code. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[] | undefined;
  /** What was not found. */
  readonly resource: string | undefined;
  /** Additional headers of the answer. */
  readonly headers: Readonly<Record<string, string>> = {};
  constructor(code: ErrorCode, message: string, fields?: readonly FieldError[]) {
    super(message);
    this.code = code;
    this.fields = fields;
  }
}

export class Invalid extends AppError {
  constructor(fields: readonly FieldError[]) {
    const [first] = fields;
    super('invalid_request', first === undefined ? 'The request is not valid' : describe(first), fields);
  }
}

export class Unauthenticated extends AppError {
  constructor(message = 'Sign in first') {
    super('unauthenticated', message);
  }
}

/** The session still has to give the code of the second factor. */
export class SecondFactorRequired extends AppError {
  constructor() {
    super('second_factor_required', 'Enter the code of your authenticator app first');
  }
}

/** An administrator has to turn a second factor on before using their rights. */
export class TwoFactorSetupRequired extends AppError {
  constructor() {
    super(
      'two_factor_setup_required',
      'Administrators of this installation need two-factor authentication. Turn it on in your settings, then come back.',
    );
  }
}

/** The session must prove once more who uses it. */
export class ReauthenticationRequired extends AppError {
  constructor() {
    super('reauthentication_required', 'Confirm that it is you, then try again');
  }
}

/** The API key or token of the request is not valid (RFC 6750, section 3). */
export class InvalidToken extends Unauthenticated {
  override readonly headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
}

export class Forbidden extends AppError {
  constructor(message: string) {
    super('forbidden', message);
  }
}

/** The plan does not include what was asked for; the message says which plan does. */
export class PlanLimit extends AppError {
  constructor(message: string) {
    super('plan_limit', message);
  }
}

/** @param deleteAfter an ISO instant */
export const beingDeleted = (deleteAfter: string) =>
  new Forbidden(`This workspace is being deleted. Until ${deleteAfter} an owner can restore it.`);

export const isSuspended = () =>
  new Forbidden('This workspace is suspended. Ask an administrator of this installation to lift the suspension.');

/** Also thrown for rows of other workspaces, so that the answer does not reveal that they exist. */
export class NotFound extends AppError {
  override readonly resource: string;
  constructor(resource: string) {
    super('not_found', `There is no such ${resource}`);
    this.resource = resource;
  }
}

export class Conflict extends AppError {
  constructor(message: string, fields?: readonly FieldError[]) {
    super('conflict', message, fields);
  }
}

/** What was at this address has been removed for good. */
export class Gone extends AppError {
  constructor(message: string) {
    super('gone', message);
  }
}

export class Unprocessable extends AppError {
  constructor(message: string, fields?: readonly FieldError[]) {
    super('unprocessable', message, fields);
  }
}

/** A refusal of the value at this path of the request. */
export const refusedAt = (path: string, message: string) => new Unprocessable(message, [{ path, message }]);

/**
 * Too many requests; the next one is accepted after `retryAfterSeconds`. Every 429 answer is made here, so that none
 * lacks `Retry-After`.
 * @param reason a whole sentence; when to try again is added to it
 */
export class RateLimited extends AppError {
  override readonly headers: Readonly<Record<string, string>>;
  constructor(reason: string, { retryAfterSeconds }: { retryAfterSeconds: number }) {
    const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
    super('rate_limited', `${reason} Try again in ${inWords(seconds)}.`);
    this.headers = { 'retry-after': String(seconds) };
  }
}

/** Rounded up, so that a retry after this time is not refused again. */
function inWords(seconds: number): string {
  if (seconds < 120) return count(seconds, 'second');
  if (seconds < 7_200) return count(Math.ceil(seconds / 60), 'minute');
  return count(Math.ceil(seconds / 3_600), 'hour');
}

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`;

/** The body arrives too slowly: the rest is not read, and the connection closes with the answer (RFC 9110, section 15.5.9). */
export class TooSlow extends AppError {
  override readonly headers = { connection: 'close' };
  constructor(message: string) {
    super('too_slow', message);
  }
}

export const maintenanceRetrySeconds = 120;

/** The installation is closed to everybody but administrators, for a time that is not known. */
export class UnderMaintenance extends AppError {
  override readonly headers = { 'retry-after': String(maintenanceRetrySeconds) };
  constructor() {
    super('maintenance', 'Cuebird is under maintenance. Reminders are still sent. Try again in a few minutes.');
  }
}

/** Temporarily unavailable, for a reason that is not the caller's. */
export class Unavailable extends AppError {
  override readonly headers: Readonly<Record<string, string>>;
  constructor(message: string, { retryAfterSeconds }: { retryAfterSeconds?: number } = {}) {
    super('unavailable', message);
    this.headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  }
}

const describe = ({ path, message }: FieldError) =>
  path === '' || /^[A-Z]/.test(message) ? message : `${path} ${message}`;
