import { z } from 'zod';
import { RequiredName, Text } from '#contract/common.ts';
import type { Origins } from '#features/auth/auth.origins.ts';
import { isCommonPassword, tooCommon } from '#features/auth/common-passwords.ts';
import { tooShort } from '#features/auth/password-change.ts';
import { withReturnAddresses, withReturnQuery } from '#features/auth/return-address.ts';
import { NotFound } from '#platform/errors.ts';
import { readBytes } from '#platform/request-body.ts';

export const AUTH_PATH = '/api/auth';

/** Set by this server from the connection and never taken from the request: limits and session records use it. */
export const CLIENT_ADDRESS_HEADER = 'x-cuebird-client-address';

const Email = z.string().trim().toLowerCase().max(320).pipe(z.email());
const Password = Text(200);
/** Checked before the shapes, by `return-address.ts`. */
const ReturnUrl = z.string().optional();

/** The allowed POST routes. Everything else that better-auth would mount answers 404; unknown members are dropped. */
const bodies: Record<string, z.ZodType> = {
  '/sign-up/email': z.object({
    name: RequiredName(200, { missing: 'Please fill in all fields' }).transform((name) => name.trim()),
    email: Email,
    password: Password,
    callbackURL: ReturnUrl,
  }),
  '/sign-in/email': z.object({
    email: Email,
    password: Password,
    callbackURL: ReturnUrl,
  }),
  '/sign-in/social': z.object({
    provider: Text(50),
    callbackURL: ReturnUrl.default('/dashboard'),
    errorCallbackURL: ReturnUrl.default('/auth'),
    disableRedirect: z.boolean().optional(),
  }),
  '/sign-out': z.object({}),
  '/send-verification-email': z.object({ email: Email, callbackURL: ReturnUrl }),
  // Links in mails lead to our own pages, whose buttons send these requests: programs that open every link change nothing.
  '/verify-email': z.object({ token: Text(2_000) }),
  '/request-password-reset': z.object({ email: Email }),
  '/check-reset-link': z.object({ token: Text(200) }),
  '/reset-password': z.object({ newPassword: Password, token: Text(200) }),
  // Not checked further: people type it by hand, with spaces.
  '/two-factor/verify-totp': z.object({ code: Text(40) }),
  '/two-factor/verify-backup-code': z.object({ code: Text(40) }),
  '/two-factor/enable': z.object({ password: Password.optional() }),
  '/two-factor/generate-backup-codes': z.object({}),
  '/two-factor/disable': z.object({}),
};

/** The allowed GET routes, as exact paths. */
const pages = /^\/(get-session|callback\/google|error)$/;

const maxBodyKiB = 64;

/** `path` is relative to AUTH_PATH; `email` is the address that a form contains. */
export type Admission =
  | { request: Request; path: string; email: string | null; token: string | null }
  | { refusal: Response };

type Site = { clientAddress: string | null; origins: Pick<Origins, 'trusts'>; minPasswordLength: number };

/**
 * Rebuilds a request in the one form that better-auth expects. Throws NotFound for all other routes, and Invalid for a
 * return address of another site.
 */
export async function admit(request: Request, { clientAddress, origins, minPasswordLength }: Site): Promise<Admission> {
  const { pathname, href } = new URL(request.url);
  const path = pathname.startsWith(`${AUTH_PATH}/`) ? pathname.slice(AUTH_PATH.length) : '';
  const headers = new Headers(request.headers);
  // Host and content length are set anew, and the client address comes from the connection.
  for (const name of ['host', 'content-length', CLIENT_ADDRESS_HEADER]) headers.delete(name);
  if (clientAddress !== null) headers.set(CLIENT_ADDRESS_HEADER, clientAddress);

  if (request.method === 'GET' && pages.test(path)) {
    const link = withReturnQuery(href, origins);
    if (link.includes('%00')) return { refusal: refusal(400, 'VALIDATION_ERROR', 'The address must not contain NUL') };
    return { request: new Request(link, { headers }), path, email: null, token: null };
  }
  const shape = Object.hasOwn(bodies, path) ? bodies[path] : undefined;
  if (request.method !== 'POST' || shape === undefined) throw new NotFound('address');

  const parsed = shape.safeParse(withReturnAddresses(await jsonOf(request), origins));
  if (!parsed.success) return { refusal: refusalOf(parsed.error) };
  const { email = null, token = null, password = null, newPassword } = Named.parse(parsed.data);
  const chosen = newPassword ?? (path === '/sign-up/email' ? password : null);
  if (chosen !== null && chosen.length < minPasswordLength)
    return { refusal: refusal(400, 'PASSWORD_TOO_SHORT', tooShort(minPasswordLength)) };
  if (chosen !== null && (await isCommonPassword(chosen)))
    return { refusal: refusal(400, 'PASSWORD_TOO_COMMON', tooCommon) };
  return { request: sentOn({ path, pathname, href, headers, body: parsed.data }), path, email, token };
}

const Named = z
  .object({ email: z.string(), token: z.string(), password: z.string(), newPassword: z.string() })
  .partial();

type Sent = { path: string; pathname: string; href: string; headers: Headers; body: unknown };

/** The request for better-auth, which verifies an address by GET. */
function sentOn({ path, pathname, href, headers, body }: Sent): Request {
  const url = new URL(pathname, href);
  if (path === '/verify-email') {
    url.searchParams.set('token', Named.parse(body).token ?? '');
    return new Request(url, { headers });
  }
  headers.set('content-type', 'application/json');
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** A refusal in better-auth's own format. */
export const refusal = (status: number, code: string, message: string): Response =>
  Response.json({ code, message }, { status });

function refusalOf({ issues: [issue] }: z.ZodError): Response {
  const field = String(issue?.path[0] ?? '');
  if (field === 'email') return refusal(400, 'INVALID_EMAIL', 'Invalid email');
  const message = issue?.message ?? 'The request is not valid';
  return refusal(400, 'VALIDATION_ERROR', field === '' || /^[A-Z]/.test(message) ? message : `${field} ${message}`);
}

/** An empty body counts as an empty object, and invalid JSON as null, which no shape accepts. */
async function jsonOf(request: Request): Promise<unknown> {
  const text = (await readBytes(request, { maxKiB: maxBodyKiB })).toString();
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
