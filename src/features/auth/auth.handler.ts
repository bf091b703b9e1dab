import { createHash } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { cookiesOf, type RecordAct, recordAnswer } from '#features/auth/auth.acts.ts';
import { accountSuspended } from '#features/auth/auth.adapter.ts';
import type { SignInLimits } from '#features/auth/auth.limits.ts';
import type { Postbox } from '#features/auth/auth.mail.ts';
import type { Origins } from '#features/auth/auth.origins.ts';
import { passwordOf, removeSession } from '#features/auth/auth.people.ts';
import { admit, refusal } from '#features/auth/auth.requests.ts';
import type { Sessions } from '#features/auth/auth.sessions.ts';
import { isOpenBeforeSecondFactor } from '#features/auth/two-factor.requests.ts';
import { SecondFactorRequired } from '#platform/errors.ts';
import { isFromAnotherSite } from '#platform/fetch-site.ts';

type Ports = {
  betterAuth: (request: Request) => Promise<Response>;
  /** Answers requests about the second factor; null for other paths. */
  answerTwoFactor: (path: string, request: Request) => Promise<Response | null>;
  /** Connected as the role cuebird_auth. */
  pool: pg.Pool;
  appUrl: string | null;
  origins: Origins;
  minPasswordLength: number;
  limits: SignInLimits;
  sessions: Sessions;
  postbox: Postbox;
  record: RecordAct;
  now: () => Temporal.Instant;
};

/** Answers every request below AUTH_PATH: admits it, counts it, lets better-auth or the second factor answer, and records what came of it. */
export function createSignInHandler({
  betterAuth,
  answerTwoFactor,
  pool,
  appUrl,
  origins,
  minPasswordLength,
  limits,
  sessions,
  postbox,
  record,
  now,
}: Ports): (request: Request, from?: { clientAddress: string }) => Promise<Response> {
  async function handle(request: Request, from?: { clientAddress: string }): Promise<Response> {
    const distrusted = distrustOf(request, { origins, appUrl });
    if (distrusted !== null) return distrusted;
    // The body is read only after admission.
    const clientAddress = from?.clientAddress ?? null;
    const admission = await admit(request, { clientAddress, origins, minPasswordLength });
    if ('refusal' in admission) return admission.refusal;
    const { path, email, token } = admission;
    try {
      await limits.admit(path, { clientAddress, email });
    } catch (error) {
      if (path === '/sign-in/email' && email !== null) await recordLocked({ email, clientAddress });
      throw error;
    }
    if (!isOpenBeforeSecondFactor(path) && (await sessions.waitingForSecondFactor(request.headers)) !== null)
      throw new SecondFactorRequired();
    if (path === '/check-reset-link') return checkResetLink(token ?? '');
    // Also renews the session. One that does not count here must not look valid to the web, which would switch between two screens forever.
    if (path === '/get-session' && (await sessions.personOf(request.headers)) === null) return noSession(request);
    if (path === '/request-password-reset') {
      postbox.post(requestReset(admission.request, { email, clientAddress }));
      return Response.json({ status: true });
    }
    const leaving = path === '/sign-out' ? await sessions.personOf(request.headers) : null;
    const response =
      path === '/sign-in/email' && email !== null
        ? await signIn(admission.request, email)
        : ((await answerTwoFactor(path, admission.request)) ?? (await betterAuth(admission.request)));
    // better-auth answers a fault with an empty body.
    if (response.status >= 500) throw new Error(`${path} of sign-in answered ${response.status}`);
    // The person followed a link, and gets a screen that says why instead of JSON.
    if (request.method === 'GET' && response.status === 403 && (await codeOf(response)) === accountSuspended.code)
      return new Response(null, { status: 302, headers: { location: `/auth?error=${accountSuspended.code}` } });
    if (path === '/sign-out') sessions.forget(request.headers);
    if (leaving !== null)
      await record({
        account: { userId: leaving.userId },
        isByOwner: true,
        action: 'sign_in.signed_out',
        clientAddress,
      });
    if (path === '/reset-password') sessions.forgetAll();
    if (response.ok && path === '/sign-in/email') await limits.recordSuccess({ clientAddress, email });
    if (response.ok && path === '/sign-up/email') await limits.remember({ clientAddress, email });
    await recordAnswer(record, { path, email, clientAddress, response, pool, sessions });
    return response;
  }

  const recordLocked = async ({ email, clientAddress }: { email: string; clientAddress: string | null }) =>
    (await limits.isFirstRefusal(email)) &&
    record({
      account: { email },
      isByOwner: false,
      action: 'sign_in.failed',
      details: { reason: 'too many wrong passwords' },
      clientAddress,
    });

  /** Not awaited by the answer, whose time would tell whether the address has an account. The mail is queued within. */
  async function requestReset(
    request: Request,
    { email, clientAddress }: { email: string | null; clientAddress: string | null },
  ): Promise<null> {
    const { ok, status } = await betterAuth(request);
    if (!ok) throw new Error(`a request to reset a password answered ${status}`);
    if (email !== null)
      await record({ account: { email }, isByOwner: false, action: 'account.reset_requested', clientAddress });
    return null;
  }

  /** Removes the cookie of an ended session: the landing page would take its visitor for somebody signed in. */
  async function noSession({ headers }: Request): Promise<Response> {
    const cookie = await sessions.endedCookie(headers);
    return Response.json(null, cookie === null ? {} : { headers: { 'set-cookie': cookie } });
  }

  /** Checks a link without using it up: a page may be opened more than once. */
  async function checkResetLink(given: string): Promise<Response> {
    const email = await emailOfResetLink(pool, { token: given, now: now() });
    return email === null ? refusal(400, 'INVALID_TOKEN', 'Invalid token') : Response.json({ email });
  }

  /** Signs in. If the password was changed meanwhile, refuses as if the request had come after the change. */
  async function signIn(request: Request, email: string): Promise<Response> {
    const before = await passwordOf(pool, email);
    const response = await betterAuth(request);
    if (!response.ok) return response;
    const signedIn = cookiesOf(response);
    if (before !== null && before === (await passwordOf(pool, email)))
      return (await sessions.waitingForSecondFactor(signedIn)) === null ? response : secondFactorAnswer(response);
    const tokenHash = sessions.tokenHashIn(signedIn);
    if (tokenHash !== null) await removeSession(pool, tokenHash);
    return refusal(401, 'INVALID_EMAIL_OR_PASSWORD', 'Invalid email or password');
  }

  return handle;
}

/** The code of a refusal in better-auth's own format. */
const codeOf = async (response: Response): Promise<unknown> =>
  z.object({ code: z.string() }).safeParse(await response.clone().json()).data?.code;

/** Without name and address, because the session does not count before its second factor. */
const secondFactorAnswer = ({ headers }: Response) => {
  const answer = Response.json({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
  for (const cookie of headers.getSetCookie()) answer.headers.append('set-cookie', cookie);
  return answer;
};

/** The refusal of a request from another site, or under an address that is not this installation's; null for every other one. */
function distrustOf(request: Request, { origins, appUrl }: Pick<Ports, 'origins' | 'appUrl'>): Response | null {
  const origin = request.headers.get('origin');
  if (request.method !== 'GET' && origin !== null && !origins.trusts(origin))
    return refusal(403, 'INVALID_ORIGIN', `Requests from ${origin} are not trusted. ${howToTrust}`);
  if (request.method !== 'GET' && origin === null && isFromAnotherSite(request))
    return refusal(403, 'INVALID_ORIGIN', 'This request comes from another site');
  const url = new URL(request.url);
  if (appUrl === null && !origins.trusts(url.origin))
    return refusal(403, 'INVALID_HOST', `${url.host} is not trusted. ${howToTrust}`);
  return null;
}

const howToTrust = 'Set APP_URL to the address under which people open Cuebird.';

/** The address of the account that a reset link belongs to; null for a link that was used, has expired, or never existed. */
async function emailOfResetLink(
  pool: pg.Pool,
  { token, now }: { token: string; now: Temporal.Instant },
): Promise<string | null> {
  const { rows } = await pool.query<{ email: string }>(
    `select p.email from auth_verifications v join profiles p on p.id::text = v.value
      where v.identifier = $1 and v.expires_at > $2`,
    [identifierOf(token), now.toString()],
  );
  return rows[0]?.email ?? null;
}

/** The form in which better-auth stores it: see `storeIdentifier` in auth.options.ts. */
const identifierOf = (token: string) => createHash('sha256').update(`reset-password:${token}`).digest('base64url');
