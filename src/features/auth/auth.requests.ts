import { z } from 'zod';
import { RequiredText, Text } from '#contract/common.ts';
import { NotFound } from '#platform/errors.ts';

export const AUTH_PATH = '/api/auth';

/** Set by this server from the connection, never taken from outside: limits and the session's record go by it. */
export const CLIENT_ADDRESS_HEADER = 'x-cuebird-client-address';

const Email = z.string().trim().toLowerCase().max(320).pipe(z.email());
const Password = Text(200);
const ReturnUrl = Text(500).optional();

/** What may be posted. Everything else that better-auth would mount answers 404; unknown members are dropped. */
const bodies: Record<string, z.ZodType> = {
  '/sign-up/email': z.object({
    name: RequiredText(200, { missing: 'Please fill in all fields' }).transform((name) => name.trim()),
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
  '/reset-password': z.object({ newPassword: Password, token: Text(200) }),
};

/** What may be fetched: exact paths, and the link of a reset mail. */
const pages = /^\/(get-session|verify-email|callback\/google|error|reset-password\/[A-Za-z0-9]+)$/;

export type Admission = { request: Request } | { refusal: Response };

/** Lets a request through to better-auth in the one form that it is meant to have. Throws NotFound for all others. */
export async function admit(request: Request, { clientAddress }: { clientAddress: string | null }): Promise<Admission> {
  const { pathname, href } = new URL(request.url);
  const path = pathname.startsWith(`${AUTH_PATH}/`) ? pathname.slice(AUTH_PATH.length) : '';
  const headers = new Headers(request.headers);
  // The address is known from the URL and the length from the new body; the caller's word counts for neither.
  for (const name of ['host', 'content-length', CLIENT_ADDRESS_HEADER]) headers.delete(name);
  if (clientAddress !== null) headers.set(CLIENT_ADDRESS_HEADER, clientAddress);

  if (request.method === 'GET' && pages.test(path)) {
    if (href.includes('%00')) return { refusal: refusal(400, 'VALIDATION_ERROR', 'The address must not contain NUL') };
    return { request: new Request(href, { headers }) };
  }
  const shape = Object.hasOwn(bodies, path) ? bodies[path] : undefined;
  if (request.method !== 'POST' || shape === undefined) throw new NotFound('address');

  const parsed = shape.safeParse(await jsonOf(request));
  if (!parsed.success) return { refusal: refusalOf(parsed.error) };
  headers.set('content-type', 'application/json');
  return {
    request: new Request(new URL(pathname, href), { method: 'POST', headers, body: JSON.stringify(parsed.data) }),
  };
}

/** In the words and shape that better-auth answers its own refusals with. */
export const refusal = (status: number, code: string, message: string): Response =>
  Response.json({ code, message }, { status });

function refusalOf({ issues: [issue] }: z.ZodError): Response {
  const field = String(issue?.path[0] ?? '');
  if (field === 'email') return refusal(400, 'INVALID_EMAIL', 'Invalid email');
  const message = issue?.message ?? 'The request is not valid';
  return refusal(400, 'VALIDATION_ERROR', field === '' || /^[A-Z]/.test(message) ? message : `${field} ${message}`);
}

/** No body counts as an empty one, and what is not JSON as null, which no shape takes. */
async function jsonOf(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
