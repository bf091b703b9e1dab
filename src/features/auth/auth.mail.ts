import type { Log } from '#platform/log.ts';

export type AccountMail = { to: string; subject: string; text: string };

// Nobody's name is in these texts: whoever signs a stranger up would choose what the stranger reads.

export const verificationMail = ({ to, link }: { to: string; link: string }): AccountMail => ({
  to,
  subject: 'Confirm your email address',
  text: [
    'Hello,',
    'Please confirm that this is your email address, and you can start with Cuebird:',
    link,
    'The link works for 24 hours. If you did not sign up, you can ignore this message.',
  ].join('\n\n'),
});

export const resetMail = ({ to, link }: { to: string; link: string }): AccountMail => ({
  to,
  subject: 'Set a new password',
  text: [
    'Hello,',
    'You can set a new password for Cuebird here:',
    link,
    'The link works for one hour. If you did not ask for it, you can ignore this message: your password stays as it is.',
  ].join('\n\n'),
});

export type Postbox = {
  /** Takes the mail and returns at once: an answer must not tell by its time whether there is an account. */
  post(mail: AccountMail): void;
  /** Resolves once everything posted so far was sent, or logged as failed. */
  emptied(): Promise<void>;
};

export function createPostbox(send: (mail: AccountMail) => Promise<void>, log: Pick<Log, 'error'>): Postbox {
  const underWay = new Set<Promise<void>>();
  return {
    post(mail) {
      const sending = send(mail)
        .catch((error: unknown) => log.error({ err: error }, `Account mail "${mail.subject}" was not sent`))
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    async emptied() {
      await Promise.all(underWay);
    },
  };
}
