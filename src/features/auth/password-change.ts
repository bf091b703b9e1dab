import type pg from 'pg';
import { forgotPasswordPage } from '#features/auth/account-pages.ts';
import type { SignInLimits } from '#features/auth/auth.limits.ts';
import { passwordChangedMail, type Postbox } from '#features/auth/auth.mail.ts';
import { isCommonPassword, tooCommon } from '#features/auth/common-passwords.ts';
import type { Passwords } from '#features/auth/passwords.ts';
import { passwordOf } from '#features/auth/auth.people.ts';
import type { Person } from '#features/auth/auth.sessions.ts';
import { Forbidden, Invalid, Unprocessable } from '#platform/errors.ts';
import { inTransaction } from '#platform/transaction.ts';

type Ports = {
  pool: pg.Pool;
  limits: Pick<SignInLimits, 'admitReauthentication' | 'recordReauthentication'>;
  passwords: Passwords;
  postbox: Postbox;
  minPasswordLength: number;
  now: () => Temporal.Instant;
};

export type PasswordChange = { current: string; password: string; url: string };

/** See `Auth.changePassword`. */
export async function changePassword(ports: Ports, person: Person, change: PasswordChange): Promise<void> {
  const { pool, limits, passwords, postbox, minPasswordLength } = ports;
  if (person.isDemo) throw new Forbidden('A demo account has no password to change. Sign up for your own.');
  if (change.password.length < minPasswordLength)
    throw new Invalid([{ path: 'new_password', message: tooShort(minPasswordLength) }]);
  if (await isCommonPassword(change.password)) throw new Invalid([{ path: 'new_password', message: tooCommon }]);
  const before = await passwordOf(pool, person.email);
  if (before === null)
    throw new Unprocessable('Your account has no password yet: have a link mailed to you, by which you can set one');
  await limits.admitReauthentication(person.userId);
  if (!(await passwords.verify({ hash: before, password: change.current })))
    throw new Invalid([{ path: 'current_password', message: 'This is not your password' }]);
  await limits.recordReauthentication(person.userId);
  if (change.password === change.current)
    throw new Invalid([{ path: 'new_password', message: 'This is your password already: choose another one' }]);
  const after = await passwords.hash(change.password);
  if (!(await replacePassword(pool, { ...person, before, after, now: ports.now() })))
    throw new Invalid([{ path: 'current_password', message: 'Your password was changed elsewhere' }]);
  postbox.post(passwordChangedMail({ to: person.email, resetLink: forgotPasswordPage(change.url) }));
}

export const tooShort = (minPasswordLength: number): string =>
  `Password must be at least ${minPasswordLength} characters long`;

/** Replaces the hash unless it was changed since it was checked. A trigger ends every session but the named one. */
async function replacePassword(
  pool: pg.Pool,
  change: { userId: string; sessionId: string; before: string; after: string; now: Temporal.Instant },
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query("select set_config('cuebird.kept_session', $1, true)", [change.sessionId]);
    const { rowCount } = await client.query(
      `update auth_accounts set password = $3, updated_at = $4
        where user_id = $1 and provider_id = 'credential' and password = $2`,
      [change.userId, change.before, change.after, change.now.toString()],
    );
    return rowCount === 1;
  });
}
