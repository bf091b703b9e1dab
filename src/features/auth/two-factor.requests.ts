import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { AccountAction, ActDetails } from '#contract/acts.ts';
import type { RecordAct } from '#features/auth/auth.acts.ts';
import { type Reauthentication, faultOfCode } from '#features/auth/reauthentication.ts';
import type { SignInLimits } from '#features/auth/auth.limits.ts';
import type { Postbox } from '#features/auth/auth.mail.ts';
import { passwordOf } from '#features/auth/auth.people.ts';
import { CLIENT_ADDRESS_HEADER } from '#features/auth/auth.requests.ts';
import type { Person, Sessions } from '#features/auth/auth.sessions.ts';
import { disableTwoFactor, enableTwoFactor, markPassed, secondFactorOf } from '#features/auth/two-factor.db.ts';
import { disabledMail, enabledMail, recoveryCodesRenewedMail } from '#features/auth/two-factor.mail.ts';
import type { TwoFactor } from '#features/auth/two-factor.ts';
import { hashOfToken } from '#platform/token-hash.ts';
import { Conflict, Forbidden, Invalid, RateLimited, Unauthenticated } from '#platform/errors.ts';

type Ports = {
  pool: pg.Pool;
  limits: Pick<SignInLimits, 'isFirstRefusal'>;
  postbox: Postbox;
  sessions: Sessions;
  twoFactor: TwoFactor;
  reauthentication: Pick<Reauthentication, 'assertReauthenticated' | 'reauthenticate'>;
  /** better-auth's plugin, which makes the secret and the recovery codes. */
  plugin: (request: Request) => Promise<Response>;
  now: () => Temporal.Instant;
  record: RecordAct;
};

/** The sign-in paths that work for a session without its second factor; every other path needs the code first. */
const openBeforeSecondFactor = [
  '/sign-in/email',
  '/sign-in/social',
  '/callback/google',
  '/sign-up/email',
  '/sign-out',
  '/error',
  '/verify-email',
  '/send-verification-email',
  '/request-password-reset',
  '/check-reset-link',
  '/reset-password',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
];
export const isOpenBeforeSecondFactor = (path: string): boolean => openBeforeSecondFactor.includes(path);

/** Answers requests about the second factor; null for other paths. */
export function createTwoFactorRequests(ports: Ports): (path: string, request: Request) => Promise<Response | null> {
  const { pool, limits, postbox, sessions, twoFactor, reauthentication, plugin, now, record } = ports;

  async function personOf({ headers }: Request): Promise<Person> {
    const person = await sessions.personOf(headers);
    if (person === null) throw new Unauthenticated();
    if (person.isDemo) throw new Forbidden('A demo account has no second factor. Sign up for your own.');
    return person;
  }

  const recordOwn = (
    { userId }: Person,
    { request, ...act }: { request: Request; action: AccountAction; details?: ActDetails },
  ) =>
    record({
      account: { userId },
      isByOwner: true,
      clientAddress: request.headers.get(CLIENT_ADDRESS_HEADER),
      ...act,
    });

  async function pass(person: Person, { request, how }: { request: Request; how: string }): Promise<Response> {
    const answer = await withNewToken(request, (tokens) => markPassed(pool, tokens));
    await recordOwn(person, { request, action: 'sign_in.succeeded', details: { how } });
    return answer;
  }

  /** Gives the session of the request a new token, whose cookie is in the answer. Throws Unauthenticated where the session has ended. */
  async function withNewToken(
    { headers }: Request,
    store: (tokens: { tokenHash: string; newTokenHash: string; now: Temporal.Instant }) => Promise<boolean>,
  ): Promise<Response> {
    const tokenHash = sessions.tokenHashIn(headers);
    const token = randomBytes(24).toString('base64url');
    if (tokenHash === null || !(await store({ tokenHash, newTokenHash: hashOfToken(token), now: now() })))
      throw new Unauthenticated();
    // The cached person is outdated: an administrator's rights depend on the factor.
    sessions.forget(headers);
    return Response.json({ status: true }, { headers: { 'set-cookie': sessions.cookieFor(token) } });
  }

  /** Checks the code of a sign-in, or the first code of a new authenticator app. */
  async function verifyCode(request: Request): Promise<Response> {
    const { code } = await bodyOf(request);
    const waiting = await sessions.waitingForSecondFactor(request.headers);
    const person = waiting ?? (await personOf(request));
    if (waiting === null && (await secondFactorOf(pool, person.userId))?.isOn !== false)
      throw new Conflict('There is nothing to turn on. Begin anew.');
    const fault = faultOfCode(
      await (waiting === null ? twoFactor.checkCode(person.userId, code) : tryCode(waiting, request)),
    );
    if (fault !== null) {
      if (waiting !== null) await recordFailure(person, { request, reason: 'wrong code' });
      throw new Invalid([fault]);
    }
    return waiting === null ? enable(person, request) : pass(person, { request, how: 'with a code of the app' });
  }

  /** Records refusals that came before the code was looked at too, but only once in a while. */
  async function tryCode(person: Person, request: Request) {
    const { code } = await bodyOf(request);
    try {
      return await twoFactor.checkCode(person.userId, code);
    } catch (error) {
      if (error instanceof RateLimited && (await limits.isFirstRefusal(`code ${person.userId}`)))
        await recordFailure(person, { request, reason: 'too many wrong codes' });
      throw error;
    }
  }

  const recordFailure = ({ userId }: Person, { request, reason }: { request: Request; reason: string }) =>
    record({
      account: { userId },
      isByOwner: false,
      clientAddress: request.headers.get(CLIENT_ADDRESS_HEADER),
      action: 'sign_in.failed',
      details: { reason },
    });

  /** Turns the second factor on, which ends every other session of the person. */
  async function enable(person: Person, request: Request): Promise<Response> {
    const answer = await withNewToken(request, (tokens) => enableTwoFactor(pool, tokens));
    postbox.post(enabledMail({ to: person.email }));
    await recordOwn(person, { request, action: 'account.two_factor_enabled' });
    return answer;
  }

  async function begin(request: Request): Promise<Response> {
    const person = await personOf(request);
    if ((await secondFactorOf(pool, person.userId))?.isOn === true)
      throw new Conflict('Two-factor authentication is on already');
    const { password } = await bodyOf(request);
    if ((await passwordOf(pool, person.email)) === null) await reauthentication.assertReauthenticated(person);
    else if (password === '') throw new Invalid([{ path: 'password', message: 'Enter your password' }]);
    else
      await reauthentication.reauthenticate(
        person,
        { password },
        { clientAddress: request.headers.get(CLIENT_ADDRESS_HEADER) },
      );
    return plugin(request);
  }

  async function useRecoveryCode(request: Request): Promise<Response> {
    const waiting = await sessions.waitingForSecondFactor(request.headers);
    if (waiting === null) throw new Unauthenticated();
    if (await twoFactor.useRecoveryCode(waiting, (await bodyOf(request)).code)) {
      await recordOwn(waiting, { request, action: 'account.recovery_code_used' });
      return pass(waiting, { request, how: 'with a recovery code' });
    }
    await recordFailure(waiting, { request, reason: 'wrong recovery code' });
    throw new Invalid([{ path: 'code', message: 'This is not one of your recovery codes, or it was used already' }]);
  }

  const answers: Record<string, (request: Request) => Promise<Response>> = {
    '/two-factor/enable': begin,
    '/two-factor/verify-totp': verifyCode,
    '/two-factor/verify-backup-code': useRecoveryCode,
    async '/two-factor/generate-backup-codes'(request) {
      const person = await personOf(request);
      await reauthentication.assertReauthenticated(person);
      const backupCodes = await twoFactor.replaceRecoveryCodes(person.userId);
      postbox.post(recoveryCodesRenewedMail({ to: person.email }));
      await recordOwn(person, { request, action: 'account.recovery_codes_renewed' });
      return Response.json({ backupCodes });
    },
    async '/two-factor/disable'(request) {
      const person = await personOf(request);
      await reauthentication.assertReauthenticated(person);
      if (await disableTwoFactor(pool, person.userId)) {
        postbox.post(disabledMail({ to: person.email }));
        await recordOwn(person, { request, action: 'account.two_factor_disabled' });
      }
      return Response.json({ status: true });
    },
  };

  return async (path, request) => (Object.hasOwn(answers, path) ? (answers[path]?.(request) ?? null) : null);
}

/** The body after admission, with empty texts for missing members. The request can still be read. */
async function bodyOf(request: Request): Promise<{ code: string; password: string }> {
  return { code: '', password: '', ...(await request.clone().json()) };
}
