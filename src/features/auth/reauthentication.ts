import { createHmac, randomInt } from 'node:crypto';
import type pg from 'pg';
import {
  type ReauthenticationMethod,
  reauthenticationMinutes,
  type ReauthenticationProof,
  type ReauthenticationState,
} from '#contract/reauthentication.ts';
import { instantOf } from '#domain/instants.ts';
import type { RecordAct } from '#features/auth/auth.acts.ts';
import type { SignInLimits } from '#features/auth/auth.limits.ts';
import type { Postbox } from '#features/auth/auth.mail.ts';
import { passwordOf } from '#features/auth/auth.people.ts';
import type { AuthSecrets } from '#features/auth/auth.secrets.ts';
import type { Person } from '#features/auth/auth.sessions.ts';
import type { Passwords } from '#features/auth/passwords.ts';
import { secondFactorOf } from '#features/auth/two-factor.db.ts';
import { reauthenticationCodeMail } from '#features/auth/two-factor.mail.ts';
import type { TwoFactor } from '#features/auth/two-factor.ts';
import { Conflict, Invalid, RateLimited, ReauthenticationRequired, Unauthenticated } from '#platform/errors.ts';

export type ReauthenticationPorts = {
  pool: pg.Pool;
  limits: Pick<SignInLimits, 'admitReauthentication' | 'recordReauthentication' | 'mayMail'>;
  verify: Passwords['verify'];
  twoFactor: Pick<TwoFactor, 'checkCode' | 'useRecoveryCode'>;
  postbox: Postbox;
  secrets: AuthSecrets;
  canSendMail: boolean;
  now: () => Temporal.Instant;
  record: RecordAct;
};

type From = { clientAddress: string | null };

export type Reauthentication = {
  /** Throws ReauthenticationRequired when the session's last proof is older than ten minutes. */
  assertReauthenticated(person: Person): Promise<void>;
  stateOf(person: Person): Promise<ReauthenticationState>;
  /** Accepts a proof. Throws Invalid for a wrong one, Conflict for a kind that this person cannot use, and RateLimited for too many tries. */
  reauthenticate(person: Person, proof: ReauthenticationProof, from: From): Promise<ReauthenticationState>;
  /** Mails a code, if that is how the person proves who they are. Throws RateLimited for too many mails. */
  mailCode(person: Person): Promise<{ mailed_to: string | null }>;
};

const codeMinutes = 10;

/** Somebody at an unattended screen must not be able to do what is sensitive: docs/decisions/0050. */
export function createReauthentication(ports: ReauthenticationPorts): Reauthentication {
  const { pool, limits, verify, twoFactor, postbox, secrets, canSendMail, now, record } = ports;

  async function methodOf({ userId, email, isDemo }: Person): Promise<ReauthenticationMethod> {
    if (isDemo) return 'none';
    if ((await secondFactorOf(pool, userId))?.isOn === true) return 'code';
    if ((await passwordOf(pool, email)) !== null) return 'password';
    return canSendMail ? 'mailed_code' : 'sign_in';
  }

  async function stateOf(person: Person): Promise<ReauthenticationState> {
    const at = await reauthenticatedAt(pool, person.sessionId);
    if (at === null) throw new Unauthenticated();
    return {
      method: await methodOf(person),
      reauthenticated_until: at.add({ minutes: reauthenticationMinutes }).toString(),
    };
  }

  const hashOf = (code: string, secret = secrets()[0]) =>
    createHmac('sha256', secret).update(`reauthentication:${code}`).digest('base64url');

  async function usesRecoveryCode(person: Person, { code, clientAddress }: { code: string } & From): Promise<boolean> {
    if (!(await twoFactor.useRecoveryCode(person, code))) return false;
    const { userId } = person;
    await record({ account: { userId }, isByOwner: true, action: 'account.recovery_code_used', clientAddress });
    return true;
  }

  /** The field of a wrong proof and its error message; null for a right proof. */
  async function faultOf(
    person: Person,
    { clientAddress, ...proof }: ReauthenticationProof & From,
  ): Promise<{ path: string; message: string } | null> {
    if (proof.code !== undefined) return faultOfCode(await twoFactor.checkCode(person.userId, proof.code));
    if (proof.recovery_code !== undefined)
      return (await usesRecoveryCode(person, { code: proof.recovery_code, clientAddress }))
        ? null
        : { path: 'recovery_code', message: 'This is not one of your recovery codes, or it was used already' };
    await limits.admitReauthentication(person.userId);
    if (proof.password !== undefined) {
      const hash = await passwordOf(pool, person.email);
      const isRight = hash !== null && (await verify({ hash, password: proof.password }));
      return isRight ? null : { path: 'password', message: 'This is not your password' };
    }
    const code = (proof.mailed_code ?? '').replaceAll(/\s+/g, '');
    const codeHashes = secrets().map((secret) => hashOf(code, secret));
    const isRight = await consumeCode(pool, { sessionId: person.sessionId, codeHashes, now: now() });
    return isRight
      ? null
      : { path: 'mailed_code', message: 'This is not the code of the newest mail, or it is too old' };
  }

  return {
    stateOf,
    async assertReauthenticated(person) {
      if (person.isDemo) return;
      const at = await reauthenticatedAt(pool, person.sessionId);
      if (at === null) throw new Unauthenticated();
      if (Temporal.Instant.compare(at.add({ minutes: reauthenticationMinutes }), now()) <= 0)
        throw new ReauthenticationRequired();
    },
    async reauthenticate(person, proof, from) {
      const method = await methodOf(person);
      if (!accepted[method].some((name) => proof[name] !== undefined)) throw new Conflict(insteadOf[method]);
      const fault = await faultOf(person, { ...proof, ...from });
      if (fault !== null) throw new Invalid([fault]);
      await limits.recordReauthentication(person.userId);
      await markReauthenticated(pool, { sessionId: person.sessionId, now: now() });
      return stateOf(person);
    },
    async mailCode(person) {
      if ((await methodOf(person)) !== 'mailed_code') return { mailed_to: null };
      if (!(await limits.mayMail('/reauthentication', person.email)))
        throw new RateLimited('Too many codes were mailed to you.', { retryAfterSeconds: 3_600 });
      const code = String(randomInt(10 ** 6)).padStart(6, '0');
      const expiresAt = now().add({ minutes: codeMinutes });
      await keepCode(pool, { sessionId: person.sessionId, codeHash: hashOf(code), expiresAt });
      postbox.post(reauthenticationCodeMail({ to: person.email, code }));
      return { mailed_to: person.email };
    },
  };
}

export function faultOfCode(check: Awaited<ReturnType<TwoFactor['checkCode']>>) {
  if (check === 'right') return null;
  return {
    path: 'code',
    message:
      check === 'used' ? 'This code was used already: wait for the next one' : 'This is not the code of your app',
  };
}

/** The methods that are accepted in place of the strongest one. With a second factor, a password proves nothing: it may be what was stolen. */
const accepted: Record<ReauthenticationMethod, readonly (keyof ReauthenticationProof)[]> = {
  code: ['code', 'recovery_code'],
  password: ['password'],
  mailed_code: ['mailed_code'],
  sign_in: [],
  none: [],
};

const insteadOf: Record<ReauthenticationMethod, string> = {
  code: 'Confirm with a code of your authenticator app, or a recovery code',
  password: 'Confirm with your password',
  mailed_code: 'Confirm with a code that is mailed to you',
  sign_in: 'Sign out, and sign in with Google again',
  none: 'The demo account is not asked to confirm',
};

/** When the session last proved who uses it: when it began, or later. */
async function reauthenticatedAt(pool: pg.Pool, sessionId: string): Promise<Temporal.Instant | null> {
  const { rows } = await pool.query<{ at: Date }>(
    'select coalesce(reauthenticated_at, created_at) as at from auth_sessions where id = $1',
    [sessionId],
  );
  return rows[0] === undefined ? null : instantOf(rows[0].at);
}

const markReauthenticated = (pool: pg.Pool, { sessionId, now }: { sessionId: string; now: Temporal.Instant }) =>
  pool.query('update auth_sessions set reauthenticated_at = $2 where id = $1', [sessionId, now.toString()]);

const keepCode = (
  pool: pg.Pool,
  { sessionId, codeHash, expiresAt }: { sessionId: string; codeHash: string; expiresAt: Temporal.Instant },
) =>
  pool.query(
    `insert into auth_reauthentication_codes (session_id, code_hash, expires_at) values ($1, $2, $3)
     on conflict (session_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
    [sessionId, codeHash, expiresAt.toString()],
  );

/** Uses the mailed code up. Returns whether it was the session's; it may be stored under a hash of any encryption key. */
async function consumeCode(
  pool: pg.Pool,
  { sessionId, codeHashes, now }: { sessionId: string; codeHashes: readonly string[]; now: Temporal.Instant },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'delete from auth_reauthentication_codes where session_id = $1 and code_hash = any ($2::text[]) and expires_at > $3',
    [sessionId, codeHashes, now.toString()],
  );
  return rowCount === 1;
}
