import type pg from 'pg';
import { z } from 'zod';
import type { SignInLimits } from '#features/auth/auth.limits.ts';
import type { Postbox } from '#features/auth/auth.mail.ts';
import { type AuthSecrets, openWithAny, sealWith } from '#features/auth/auth.secrets.ts';
import { newRecoveryCodes, recoveryCodeOf } from '#features/auth/recovery-codes.ts';
import { stepOf } from '#features/auth/totp.ts';
import * as db from '#features/auth/two-factor.db.ts';
import { recoveryCodeUsedMail } from '#features/auth/two-factor.mail.ts';
import { Conflict, RateLimited } from '#platform/errors.ts';

export type TwoFactorPorts = {
  pool: pg.Pool;
  limits: Pick<SignInLimits, 'admitCode' | 'admitRecoveryCode' | 'recordRecoveryCode'>;
  postbox: Postbox;
  /** The secrets that seal the factor's secret and the recovery codes, in the format of better-auth's plugin. */
  secrets: AuthSecrets;
  now: () => Temporal.Instant;
};

type Owner = { userId: string; email: string };

export type CodeCheck = 'right' | 'wrong' | 'used';

export type TwoFactor = {
  /** Whether it is a valid code of the person's app; each counts once. Throws RateLimited after too many tries. */
  checkCode(userId: string, code: string): Promise<CodeCheck>;
  /** Uses a recovery code up, and tells the person by mail. Throws RateLimited after too many tries. */
  useRecoveryCode(person: Owner, code: string): Promise<boolean>;
  /** Replaces all recovery codes. Throws Conflict where there is no second factor. */
  replaceRecoveryCodes(userId: string): Promise<string[]>;
  /** How many recovery codes are left; null where the second factor is off. */
  recoveryCodesLeft(userId: string): Promise<number | null>;
};

const Codes = z.array(z.string());

/** Checks a person's second factor wherever it is asked for: at sign-in, and before sensitive acts. */
export function createTwoFactor({ pool, limits, postbox, secrets, now }: TwoFactorPorts): TwoFactor {
  const codesIn = async (sealed: string) => Codes.parse(JSON.parse(await openWithAny(secrets(), sealed)));
  const sealed = (codes: readonly string[]) => sealWith(secrets()[0], JSON.stringify(codes));

  async function isUsedUp(userId: string, code: string): Promise<boolean> {
    const factor = await db.secondFactorOf(pool, userId);
    if (factor === null) return false;
    const codes = await codesIn(factor.backupCodes);
    const left = codes.filter((one) => one !== code);
    if (left.length === codes.length) return false;
    const to = await sealed(left);
    // The codes were changed meanwhile, by another request that used one: reads them again.
    const isReplaced = await db.replaceBackupCodes(pool, { userId, from: factor.backupCodes, to });
    return isReplaced ? true : isUsedUp(userId, code);
  }

  return {
    async checkCode(userId, code) {
      await limits.admitCode(userId);
      const at = now();
      const secret = await db.countTry(pool, { userId, now: at });
      if (secret === null) {
        assertUnlocked(await db.lockOf(pool, userId), at);
        return 'wrong';
      }
      const given = code.replaceAll(/\s+/g, '');
      const step = stepOf(await openWithAny(secrets(), secret), { code: given, now: at });
      if (step === null) return 'wrong';
      return (await db.useStep(pool, { userId, step })) ? 'right' : 'used';
    },
    async useRecoveryCode({ userId, email }, code) {
      await limits.admitRecoveryCode(userId);
      if (!(await isUsedUp(userId, recoveryCodeOf(code)))) return false;
      await limits.recordRecoveryCode(userId);
      postbox.post(recoveryCodeUsedMail({ to: email }));
      return true;
    },
    async replaceRecoveryCodes(userId) {
      const codes = newRecoveryCodes();
      const factor = await db.secondFactorOf(pool, userId);
      if (factor === null || !factor.isOn) throw new Conflict('Two-factor authentication is off');
      const to = await sealed(codes);
      if (!(await db.replaceBackupCodes(pool, { userId, from: factor.backupCodes, to })))
        throw new Conflict('The recovery codes were changed meanwhile. Try again.');
      return codes;
    },
    async recoveryCodesLeft(userId) {
      const factor = await db.secondFactorOf(pool, userId);
      return factor === null || !factor.isOn ? null : (await codesIn(factor.backupCodes)).length;
    },
  };
}

function assertUnlocked(lockedUntil: Temporal.Instant | null, now: Temporal.Instant): void {
  if (lockedUntil === null || Temporal.Instant.compare(lockedUntil, now) <= 0) return;
  const retryAfterSeconds = now.until(lockedUntil).total('seconds');
  throw new RateLimited('Too many wrong codes. A recovery code still works.', { retryAfterSeconds });
}
