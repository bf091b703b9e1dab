import type { AccountMail } from '#features/auth/auth.mail.ts';

const notYou = 'If this was not you, set a new password at once, and tell an administrator of your installation.';

const notice = ({ to, subject, what }: { to: string; subject: string; what: string }): AccountMail => ({
  to,
  subject,
  text: ['Hello,', what, notYou].join('\n\n'),
});

export const enabledMail = ({ to }: { to: string }): AccountMail =>
  notice({
    to,
    subject: 'Two-factor authentication is on',
    what: 'From now on, signing in to Cuebird also asks for a code of your authenticator app. All your other browsers were signed out.',
  });

export const disabledMail = ({ to }: { to: string }): AccountMail =>
  notice({
    to,
    subject: 'Two-factor authentication is off',
    what: 'Signing in to Cuebird no longer asks for a code of your authenticator app. Your recovery codes no longer work.',
  });

export const recoveryCodesRenewedMail = ({ to }: { to: string }): AccountMail =>
  notice({
    to,
    subject: 'You have new recovery codes',
    what: 'New recovery codes were made for your Cuebird account. The earlier ones no longer work.',
  });

export const recoveryCodeUsedMail = ({ to }: { to: string }): AccountMail =>
  notice({
    to,
    subject: 'A recovery code was used',
    what: 'One of your recovery codes was used for your Cuebird account, in place of a code of your authenticator app. It does not work again.',
  });

export const reauthenticationCodeMail = ({ to, code }: { to: string; code: string }): AccountMail => ({
  to,
  subject: 'Your confirmation code',
  text: [
    'Hello,',
    'Enter this code in Cuebird to confirm that it is you:',
    code,
    'It works for 10 minutes. If you did not ask for it, somebody else is using a browser where you are signed in: sign out there, and tell nobody the code.',
  ].join('\n\n'),
});
