import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { confirmEmailPage, forgotPasswordPage } from '#features/auth/account-pages.ts';
import type { SignInLimits } from '#features/auth/auth.limits.ts';
import * as mails from '#features/auth/auth.mail.ts';
import type { Person } from '#features/auth/auth.sessions.ts';
import * as db from '#features/auth/email-change.db.ts';
import { Conflict, Forbidden, Invalid, NotFound, RateLimited, Unprocessable } from '#platform/errors.ts';
import { hashOfToken } from '#platform/token-hash.ts';

const linkHours = 24;

type Ports = {
  pool: pg.Pool;
  limits: Pick<SignInLimits, 'mayMail'>;
  postbox: mails.Postbox;
  canSendMail: boolean;
  now: () => Temporal.Instant;
};

export type EmailChanges = {
  pendingOf(userId: string): Promise<db.EmailChange | null>;
  /**
   * Mails a link to the new address and a notice to the current one. The answer does not tell whether the new address is
   * taken: its mailbox is told. Throws Invalid for the current address, RateLimited for a mailbox that has got too many, or a
   * person who has asked for too many.
   * @param change.url the address at which this person opens Cuebird
   */
  request(person: Person, change: { email: string; url: string }): Promise<void>;
  cancel(person: Person): Promise<void>;
  /** Sets the new address. Throws NotFound for a link that does not work for this person. */
  confirm(person: Person, link: { token: string; url: string }): Promise<{ before: string; email: string }>;
};

export function createEmailChanges({ pool, limits, postbox, canSendMail, now }: Ports): EmailChanges {
  return {
    pendingOf: (userId) => db.findEmailChange(pool, { userId, now: now() }),
    async request(person, { email, url }) {
      if (person.isDemo) throw new Forbidden('A demo account keeps its address. Sign up for your own.');
      if (email === person.email) throw new Invalid([{ path: 'email', message: 'This is your address already' }]);
      if (!canSendMail)
        throw new Unprocessable('This installation sends no mail, so that no address can be confirmed: set SMTP_URL');
      // Counts mails for both the person and the new address: nobody can have mails sent to a list of strangers.
      for (const [path, mailbox] of [
        ['/change-email/from', person.email],
        ['/change-email', email],
      ] as const)
        if (!(await limits.mayMail(path, mailbox)))
          throw new RateLimited('Too many mails were sent to this address.', { retryAfterSeconds: 3_600 });
      const token = randomBytes(32).toString('base64url');
      const expiresAt = now().add({ hours: linkHours });
      await db.storeEmailChange(pool, {
        userId: person.userId,
        email,
        tokenHash: hashOfToken(token),
        expiresAt,
        now: now(),
      });
      const link = confirmEmailPage(url, token);
      const isTaken = await db.isTaken(pool, email);
      postbox.post(isTaken ? mails.takenAddressMail({ to: email }) : mails.newAddressMail({ to: email, link }));
      postbox.post(mails.addressChangeNotice({ to: person.email, email, resetLink: forgotPasswordPage(url) }));
    },
    async cancel({ userId }) {
      await db.deleteEmailChange(pool, userId);
    },
    async confirm({ userId }, { token, url }) {
      const changed = await db.applyEmailChange(pool, { userId, tokenHash: hashOfToken(token), now: now() });
      if (changed === 'refused') throw new NotFound('link for your account');
      if (changed === 'taken') throw new Conflict('Another account has this address');
      postbox.post(mails.addressChangedNotice({ to: changed.before, email: changed.email, url }));
      return changed;
    },
  };
}
