import type { Kysely } from 'kysely';
import { RateLimited } from '#platform/errors.ts';
import { limitSubject, networkOf, networksOf } from '#platform/limit-subject.ts';
import { refundInNetworks, spendInNetworks } from '#platform/network-limit.ts';
import * as counts from '#platform/rate-limit.ts';
import type { Schema } from '#platform/schema.ts';

/** The client address of a request, and the account or mailbox that it names. */
export type Visit = { clientAddress: string | null; email: string | null };

export type SignInLimits = {
  /** Counts a sign-in request before its work begins. Throws RateLimited over the limit. */
  admit(path: string, visit: Visit): Promise<void>;
  /** Whether a refusal of the account is the first in 15 minutes: anybody can cause as many as they like, and each would be a row of the audit log. */
  isFirstRefusal(subject: string): Promise<boolean>;
  /** Called after a right password: refunds its attempt, and marks the address as known to the account. */
  recordSuccess(visit: Visit): Promise<void>;
  /** Marks the address as known to the account. */
  remember(visit: Visit): Promise<void>;
  /** Counts a password or a mailed code by which a signed-in person confirms who they are. Throws RateLimited over the limit. */
  admitReauthentication(userId: string): Promise<void>;
  /** Called after a right password or code: the count begins anew. */
  recordReauthentication(userId: string): Promise<void>;
  /** Counts a code of an authenticator app. Throws RateLimited over the limit. */
  admitCode(userId: string): Promise<void>;
  /** Counts a recovery code. Throws RateLimited over the limit. */
  admitRecoveryCode(userId: string): Promise<void>;
  /** Called after a right recovery code: the count begins anew. */
  recordRecoveryCode(userId: string): Promise<void>;
  /** Counts a mail to the mailbox. Returns whether it may be sent. */
  mayMail(path: string, email: string): Promise<boolean>;
};

const minutes = (count: number) => count * 60;
const hours = (count: number) => count * 3_600;

/** Wrong passwords for one account from one address. Other accounts and addresses are not affected. */
const ofPair = { bucket: 'sign-in.pair', most: 10, seconds: minutes(15) };
/** Wrong passwords from one address, which a whole office may share, for accounts that were never used from there. */
const ofAddress = { bucket: 'sign-in.address', most: 100, seconds: minutes(15) };
/**
 * Wrong passwords for one account from all unknown addresses together. Nobody can lock its owner out by this, who waits for some minutes at most at a
 * new address.
 */
const ofAccount = { bucket: 'sign-in.account', free: 30, maxDelaySeconds: minutes(5), forgetSeconds: hours(1) };
/** Marks an address that has guessed wrongly: it waits longer than others, so that the owner at a new address comes first. */
const guessed = { bucket: 'sign-in.guessed', most: 1, seconds: hours(24) };
const extraDelaySeconds = minutes(5);
/** Marks an address from which the account was used. */
const known = { bucket: 'sign-in.known', most: 1, seconds: hours(24 * 90) };

/** How often the audit log records a refusal that happened before the password was looked at: once per account and 15 minutes. */
const ofRefusals = { bucket: 'sign-in.refused', most: 1, seconds: minutes(15) };

/** Passwords and mailed codes that a signed-in person gives before something sensitive. */
const ofReauthentication = { bucket: 'reauthentication', most: 10, seconds: minutes(15) };

/**
 * Codes of an authenticator app, of which three are right at any time: fifty tries guess one in 6,666 days. Ten wrong ones in a row
 * lock the codes for 15 minutes besides (two-factor.db.ts).
 */
const ofCode = { bucket: 'second-factor', most: 50, seconds: hours(24) };
/** Recovery codes cannot be guessed; they have a count of their own, so that who is locked out by guesses still gets in. */
const ofRecoveryCode = { bucket: 'recovery-code', most: 10, seconds: minutes(15) };

/** Counted per form: one that sends no mail must not use up the mails of another. */
const ofMailbox = (path: string) => ({ bucket: `mailbox${path}`, most: 5, seconds: hours(1) });

const perAddress: Record<string, counts.WindowLimit> = {
  '/sign-up/email': { bucket: 'sign-up', most: 100, seconds: hours(1) },
  '/request-password-reset': { bucket: 'account-mail', most: 30, seconds: hours(1) },
  '/send-verification-email': { bucket: 'account-mail', most: 30, seconds: hours(1) },
  '/reset-password': { bucket: 'reset', most: 30, seconds: hours(1) },
  '/sign-in/social': { bucket: 'social', most: 100, seconds: minutes(15) },
};
/** Requests for pages of links in mails, and redirects from Google. */
const others = { bucket: 'links', most: 300, seconds: minutes(15) };

const mailing = ['/sign-up/email', '/request-password-reset', '/send-verification-email'];
const free = ['/get-session', '/sign-out', '/error'];

/** Rate limits of sign-in, counted in the database: they hold for all processes and survive a restart. */
export function createSignInLimits(db: Kysely<Schema>, { now }: { now: () => Temporal.Instant }): SignInLimits {
  const spend = (subject: string, limit: counts.WindowLimit) =>
    counts.spend(db, { counted: { subject }, limit, now: now() });
  const giveBack = (subject: string, bucket: string) => counts.giveBack(db, { counted: { subject }, bucket });

  const spendAt = ({ clientAddress }: Subjects, limit: counts.WindowLimit) =>
    spendInNetworks(db, { kind: 'address', clientAddress, limit, now: now() });
  const refundAt = ({ clientAddress }: Subjects) =>
    refundInNetworks(db, { kind: 'address', clientAddress, bucket: ofAddress.bucket });

  const isCounted = (subject: string, { bucket }: counts.WindowLimit) =>
    counts.isCounted(db, { counted: { subject }, bucket, now: now() });

  async function admitPassword(at: Subjects): Promise<void> {
    if (await isCounted(at.pair, known)) return admitPair(at);
    const address = await spendAt(at, ofAddress);
    if (address.isRefused) throw tooMany('Too many wrong passwords from your network.', address);
    try {
      await admitPair(at);
    } catch (error) {
      // Refunds the attempt of the address: guesses at one account must not use up those for other accounts.
      if (error instanceof RateLimited) await refundAt(at);
      throw error;
    }
    await admitToAccount(at);
  }

  async function admitPair(at: Subjects): Promise<void> {
    const pair = await spend(at.pair, ofPair);
    if (pair.isRefused) throw tooMany('Too many wrong passwords for this account.', pair);
  }

  /** A refused attempt still counts for its account and address: there are only ten to find out when the delay ends. */
  async function admitToAccount(at: Subjects): Promise<void> {
    const counted = { subject: at.account };
    const extra = (await isCounted(at.widePair, guessed)) ? extraDelaySeconds : 0;
    const account = await counts.attempt(db, { counted, limit: ofAccount, now: now(), extraDelaySeconds: extra });
    if (account.isRefused) throw tooMany('Too many wrong passwords for this account.', account);
    await spend(at.widePair, guessed);
  }

  async function remember(visit: Visit): Promise<void> {
    const { pair, widePair } = subjectsOf(visit);
    for (const { bucket } of [ofPair, known]) await counts.clearCount(db, { counted: { subject: pair }, bucket });
    await counts.clearCount(db, { counted: { subject: widePair }, bucket: guessed.bucket });
    await spend(pair, known);
  }

  return {
    async admit(path, visit) {
      const at = subjectsOf(visit);
      if (free.includes(path)) return;
      if (path === '/sign-in/email') return admitPassword(at);
      const address = await spendAt(at, perAddress[path] ?? others);
      if (address.isRefused) throw tooMany('Too many requests from your network.', address);
      if (!mailing.includes(path)) return;
      const mailbox = await spend(at.account, ofMailbox(path));
      if (mailbox.isRefused) throw tooMany('Too many mails were requested for this address.', mailbox);
    },
    isFirstRefusal: async (subject) => !(await spend(limitSubject(['refused', subject]), ofRefusals)).isRefused,
    async recordSuccess(visit) {
      const at = subjectsOf(visit);
      // For a known address only the counter of this account and address was used: there is nothing else to refund.
      if (!(await isCounted(at.pair, known))) {
        await refundAt(at);
        await giveBack(at.account, ofAccount.bucket);
      }
      await remember(visit);
    },
    remember,
    async admitReauthentication(userId) {
      const spent = await spend(limitSubject(['reauthentication', userId]), ofReauthentication);
      if (spent.isRefused) throw tooMany('Too many wrong answers.', spent);
    },
    recordReauthentication: (userId) =>
      counts.clearCount(db, {
        counted: { subject: limitSubject(['reauthentication', userId]) },
        bucket: ofReauthentication.bucket,
      }),
    async admitCode(userId) {
      const spent = await spend(limitSubject(['second-factor', userId]), ofCode);
      if (spent.isRefused) throw tooMany('Too many codes. A recovery code still works.', spent);
    },
    async admitRecoveryCode(userId) {
      const spent = await spend(limitSubject(['recovery-code', userId]), ofRecoveryCode);
      if (spent.isRefused) throw tooMany('Too many wrong recovery codes.', spent);
    },
    recordRecoveryCode: (userId) =>
      counts.clearCount(db, {
        counted: { subject: limitSubject(['recovery-code', userId]) },
        bucket: ofRecoveryCode.bucket,
      }),
    async mayMail(path, email) {
      const { account } = subjectsOf({ email, clientAddress: null });
      return !(await spend(account, ofMailbox(path))).isRefused;
    },
  };
}

const tooMany = (reason: string, { retryAfterSeconds }: counts.Spent) => new RateLimited(reason, { retryAfterSeconds });

/** `widePair` is the account with the widest network of the address: who has many networks guesses from each. */
type Subjects = Pick<Visit, 'clientAddress'> & { account: string; pair: string; widePair: string };

/** As hashes: the table stores no mail addresses and no client addresses. */
function subjectsOf({ clientAddress, email }: Visit): Subjects {
  const account = (email ?? '').toLowerCase();
  return {
    clientAddress,
    account: limitSubject(['account', account]),
    pair: limitSubject(['pair', account, networkOf(clientAddress)]),
    widePair: limitSubject(['pair', account, networksOf(clientAddress)[0]?.network ?? 'unknown']),
  };
}
