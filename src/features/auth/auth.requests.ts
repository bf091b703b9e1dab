import { z } from 'zod';
import { RequiredName, Text } from '#contract/common.ts';
import type { Origins } from '#features/auth/auth.origins.ts';
import { withReturnAddresses, withReturnQuery } from '#features/auth/return-address.ts';
import { NotFound } from '#platform/errors.ts';
import { readBytes } from '#platform/request-body.ts';

export const AUTH_PATH = '/api/auth';

/** Set by this server from the connection and never taken from the request: limits and session records use it. */
export const CLIENT_ADDRESS_HEADER = 'x-cuebird-client-address';

const Email = z.string().trim().toLowerCase().max(320).pipe(z.email());
const Password = Text(200);
/** Checked before the shapes are: see `return-address.ts`. */
const ReturnUrl = z.string().optional();

/** The allowed POST routes. Everything else that better-auth would mount answers 404; unknown members are dropped. */
const bodies: Record<string, z.ZodType> = {
  '/sign-up/email': z.object({
    name: RequiredName(200, { missing: 'Please fill in all fields' }).transform((name) => name.trim()),
    email: Email,
    password: Password,
    callbackURL: ReturnUrl,
    rememberMe: z.boolean().optional(),
  }),
  '/sign-in/email': z.object({
    email: Email,
    password: Password,
    callbackURL: ReturnUrl,
    rememberMe: z.boolean().optional(),
  }),
  '/sign-in/social': z.object({
    provider: Text(50),
    callbackURL: ReturnUrl.default('/dashboard'),
    errorCallbackURL: ReturnUrl.default('/auth'),
    disableRedirect: z.boolean().optional(),
  }),
  '/sign-out': z.object({}),
  '/send-verification-email': z.object({ email: Email, callbackURL: ReturnUrl }),
  '/request-password-reset': z.object({ email: Email, redirectTo: ReturnUrl.default('/auth') }),
  // Typed by hand, with spaces: nothing is refused for its form.
  '/two-factor/verify-totp': z.object({ code: Text(40) }),
  '/two-factor/verify-backup-code': z.object({ code: Text(40) }),
  '/two-factor/enable': z.object({ password: Password.optional() }),
  '/two-factor/generate-backup-codes': z.object({}),
  '/two-factor/disable': z.object({}),
  '/reset-password': z.object({ newPassword: Password, token: Text(200) }),
};

/** The allowed GET routes: exact paths, and the link of a reset mail. */
const pages = /^\/(get-session|verify-email|callback\/google|error|reset-password\/[A-Za-z0-9]+)$/;

/** The paths of all forms that are answered, below AUTH_PATH. */
export const formPaths: readonly string[] = Object.keys(bodies);

const maxBodyKiB = 64;

/** `path` is below AUTH_PATH; `email` is the mailbox that a form names. */
export type Admission = { request: Request; path: string; email: string | null } | { refusal: Response };

/**
 * Rebuilds a request in the one form that better-auth expects. Throws NotFound for all other routes, and Invalid for a
 * return address of another site.
 */
export async function admit(
  request: Request,
  { clientAddress, origins }: { clientAddress: string | null; origins: Pick<Origins, 'trusts'> },
): Promise<Admission> {
  const { pathname, href } = new URL(request.url);
  const path = pathname.startsWith(`${AUTH_PATH}/`) ? pathname.slice(AUTH_PATH.length) : '';
  const headers = new Headers(request.headers);
  // Host and content length are set anew; the caller's headers are not used.
  for (const name of ['host', 'content-length', CLIENT_ADDRESS_HEADER]) headers.delete(name);
  if (clientAddress !== null) headers.set(CLIENT_ADDRESS_HEADER, clientAddress);

  if (request.method === 'GET' && pages.test(path)) {
    const link = withReturnQuery(href, origins);
    if (link.includes('%00')) return { refusal: refusal(400, 'VALIDATION_ERROR', 'The address must not contain NUL') };
    return { request: new Request(link, { headers }), path, email: null };
  }
  const shape = Object.hasOwn(bodies, path) ? bodies[path] : undefined;
  if (request.method !== 'POST' || shape === undefined) throw new NotFound('address');

  const parsed = shape.safeParse(withReturnAddresses(await jsonOf(request), origins));
  if (!parsed.success) return { refusal: refusalOf(parsed.error) };
  headers.set('content-type', 'application/json');
  return {
    request: new Request(new URL(pathname, href), { method: 'POST', headers, body: JSON.stringify(parsed.data) }),
    path,
    email: WithEmail.safeParse(parsed.data).data?.email ?? null,
  };
}

const WithEmail = z.object({ email: z.string() });

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
