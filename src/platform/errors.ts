import type { ErrorCode, FieldError } from '#contract/errors.ts';

/** A refusal that a caller can act on: it becomes the API's error shape with the status of its code. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[] | undefined;
  /** What the answer says in its headers besides. */
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

/** The key or token that came with the request opens nothing (RFC 6750, section 3). */
export class InvalidToken extends Unauthenticated {
  override readonly headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
}

export class Forbidden extends AppError {
  constructor(message: string) {
    super('forbidden', message);
  }
}

/** Also for what belongs to somebody else: a stranger learns nothing from the answer. */
export class NotFound extends AppError {
  constructor(thing: string) {
    super('not_found', `There is no such ${thing}`);
  }
}

export class Conflict extends AppError {
  constructor(message: string, fields?: readonly FieldError[]) {
    super('conflict', message, fields);
  }
}

export class Unprocessable extends AppError {
  constructor(message: string, fields?: readonly FieldError[]) {
    super('unprocessable', message, fields);
  }
}

/** Too many requests; the next one is welcome after `retryAfterSeconds`. */
export class RateLimited extends AppError {
  override readonly headers: Readonly<Record<string, string>>;
  constructor(message: string, { retryAfterSeconds }: { retryAfterSeconds: number }) {
    super('rate_limited', message);
    this.headers = { 'retry-after': String(retryAfterSeconds) };
  }
}

export class Unavailable extends AppError {
  constructor(message: string) {
    super('unavailable', message);
  }
}

const describe = ({ path, message }: FieldError) =>
  path === '' || /^[A-Z]/.test(message) ? message : `${path} ${message}`;
