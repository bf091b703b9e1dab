import { utcText } from '#domain/utc-text.ts';
import type { Log } from '#platform/log.ts';

export type AccountMail = { to: string; subject: string; text: string };

// These texts contain no names: somebody who signs up with another person's address would choose what that person reads.

export const verificationMail = ({ to, link }: { to: string; link: string }): AccountMail => ({
  to,
  subject: 'Confirm your email address',
  text: [
    'Hello,',
    'Please confirm that this is your email address, and you can start with Cuebird:',
    link,
    'The link works for 24 hours. If you did not sign up, do not open it: somebody else has chosen the password of this account.',
  ].join('\n\n'),
});

/** Instead of the mail that verifies an address, where that makes its person an administrator. */
export const administratorMail = ({ to, link }: { to: string; link: string }): AccountMail => ({
  to,
  subject: 'Set your password as an administrator',
  text: [
    'Hello,',
    'An account was made with this address, which is named as an administrator of this Cuebird. Set its password here to begin; whatever password it has ends then:',
    link,
    'The link works for one hour. If you did not sign up, nothing happens unless you open it.',
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

export const accountDeletedMail = (to: string): AccountMail => ({
  to,
  subject: 'Your account was deleted',
  text: [
    'Hello,',
    'Your Cuebird account was deleted, as you asked. You are signed out everywhere, and it cannot be restored.',
    'Reminders that you wrote stay in their workspaces. If it was not you who did this, tell the owner of your workspace.',
  ].join('\n\n'),
});

export const passwordChangedMail = ({ to, resetLink }: { to: string; resetLink: string }): AccountMail => ({
  to,
  subject: 'Your password was changed',
  text: [
    'Hello,',
    'The password of your Cuebird account was changed. Every other browser was signed out.',
    'If this was not you, set a new password at once:',
    resetLink,
  ].join('\n\n'),
});

export const newAddressMail = ({ to, link }: { to: string; link: string }): AccountMail => ({
  to,
  subject: 'Confirm your new email address',
  text: [
    'Hello,',
    'Please confirm that you want to sign in to Cuebird with this address:',
    link,
    'The link works for 24 hours, in a browser where you are signed in. If you did not ask for it, you can ignore this message: nothing changes.',
  ].join('\n\n'),
});

/** Only the mailbox learns that the address is taken; the answer to the request does not tell. */
export const takenAddressMail = ({ to }: { to: string }): AccountMail => ({
  to,
  subject: 'This address has an account already',
  text: [
    'Hello,',
    'Somebody wants to sign in to Cuebird with this address, but it belongs to another account already: nothing changes.',
    'If it was you, sign in with this address, or use another one for your other account. If not, you can ignore this message.',
  ].join('\n\n'),
});

export const addressChangeNotice = ({
  to,
  email,
  resetLink,
}: {
  to: string;
  email: string;
  resetLink: string;
}): AccountMail => ({
  to,
  subject: 'Your email address is about to change',
  text: [
    'Hello,',
    `Somebody who is signed in to your Cuebird account wants to replace this address by ${email}. Nothing changes before the new address is confirmed.`,
    'If this was not you, set a new password now. That also cancels the change, and signs everybody out:',
    resetLink,
  ].join('\n\n'),
});

export const addressChangedNotice = ({ to, email, url }: { to: string; email: string; url: string }): AccountMail => ({
  to,
  subject: 'Your email address was changed',
  text: [
    'Hello,',
    `Your Cuebird account at ${url} now has the address ${email}. You can no longer sign in with this one.`,
    'If this was not you, tell whoever runs this installation at once: they can sign everybody out of the account.',
  ].join('\n\n'),
});

/** Contains names, since the reader knows the sender by nothing else; but nothing in them becomes a link. */
export const invitationMail = ({
  to,
  workspace,
  invitedBy,
  link,
}: {
  to: string;
  workspace: string;
  invitedBy: string;
  link: string;
}): AccountMail => ({
  to,
  subject: 'Invitation to a workspace',
  text: [
    'Hello,',
    `${plainName(invitedBy) || 'Somebody'} invites you to the workspace “${plainName(workspace)}” in Cuebird. Accept or decline here:`,
    link,
    'The link works for 7 days. If you do not know who invites you, you can ignore this message.',
  ].join('\n\n'),
});

/** @param deletion.until an ISO instant */
export const workspaceDeletedMail = ({
  to,
  workspace,
  until,
  link,
}: {
  to: string;
  workspace: string;
  until: string;
  link: string;
}): AccountMail => ({
  to,
  subject: 'A workspace was deleted',
  text: [
    'Hello,',
    `The workspace “${plainName(workspace)}” was deleted by one of its owners. Nothing of it is sent any more.`,
    `Until ${utcText(until)} you can restore it, with everything in it, here:`,
    link,
    'After that its data is deleted for good.',
  ].join('\n\n'),
});

/** A name as one short line in which mail programs find no link. */
const plainName = (name: string): string =>
  name
    .replaceAll(/[\s:/\\@]+/gu, ' ')
    .replaceAll(/[.。．｡](?=\S)/gu, ' ')
    .trim()
    .slice(0, 60);

export type Postbox = {
  /** Queues the mail, which may still be being made, and returns at once: the time of an answer must not tell whether an account exists. */
  post(mail: AccountMail | Promise<AccountMail | null>): void;
  /** Resolves once every queued mail was sent, or logged as failed. */
  emptied(): Promise<void>;
};

export function createPostbox(send: (mail: AccountMail) => Promise<void>, log: Pick<Log, 'error'>): Postbox {
  const running = new Set<Promise<void>>();

  async function deliver(awaited: AccountMail | Promise<AccountMail | null>): Promise<void> {
    let subject = '';
    try {
      const mail = await awaited;
      if (mail === null) return;
      subject = mail.subject;
      await send(mail);
    } catch (error) {
      log.error({ err: error }, `Account mail "${subject}" was not sent`);
    }
  }

  return {
    post(mail) {
      const sending = deliver(mail).finally(() => running.delete(sending));
      running.add(sending);
    },
    async emptied() {
      // Sending may queue further mails.
      while (running.size > 0) await Promise.all(running);
    },
  };
}
