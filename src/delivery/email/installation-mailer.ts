import { randomUUIDv7 } from 'node:crypto';
import { parseEmail } from '#contract/email-address.ts';
import { mailHtml } from '#domain/message-format/plain-mail.ts';
import { EmailConfig } from '#delivery/email/smtp.config.ts';
import type { Mail, SmtpAnswer, SmtpPools } from '#delivery/adapter.ts';
import type { Log } from '#platform/log.ts';

/** `replyTo`: where answers go, if not to the sender. `id`: the same for each attempt, so that mailboxes recognise a duplicate. */
export type InstallationMail = {
  to: string;
  subject: string;
  text: string;
  replyTo?: string;
  id?: string;
  attachment?: NonNullable<Mail['attachment']>;
  headers?: Record<string, string>;
};

/** `declined`: what the server said of this mail. `unreachable`: it was not asked, did not answer, or refused Cuebird. */
export type MailOutcome = { outcome: 'accepted' } | { outcome: 'declined'; words: string } | { outcome: 'unreachable' };

/**
 * Sends what the installation itself mails, such as links to sign in, notices and reports, through its mail server. Without one, it logs the mail.
 */
export function createInstallationMailer({
  smtp,
  configuration,
  log,
}: {
  smtp: SmtpPools;
  configuration: object | null;
  log: Log;
}) {
  const config = configuration === null ? null : EmailConfig.parse(configuration);
  return async ({ to, subject, text, replyTo, id, attachment, headers }: InstallationMail): Promise<MailOutcome> => {
    if (config === null) {
      log.warn({ subject }, 'a mail of the installation cannot be sent: set SMTP_URL');
      return { outcome: 'unreachable' };
    }
    const domain = parseEmail(config.from_email)?.domain ?? 'localhost';
    const answer = await smtp.send(config, {
      messageId: `<${id ?? randomUUIDv7()}@${domain}>`,
      from: { name: config.from_name === '' ? 'Cuebird' : config.from_name, address: config.from_email },
      to: { name: '', address: to },
      ...(replyTo !== undefined && { replyTo }),
      ...(attachment !== undefined && { attachment }),
      subject,
      text,
      html: mailHtml(text),
      date: new Date(),
      headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    });
    if (answer.kind === 'accepted') return { outcome: 'accepted' };
    log.error({ subject, answer: answer.kind, ...whyOf(answer) }, 'a mail of the installation was not accepted');
    return answer.kind === 'declined' && answer.step === 'message'
      ? { outcome: 'declined', words: answer.words.slice(0, 300) }
      : { outcome: 'unreachable' };
  };
}

/** What is wrong with the server or the way to it. What it says of a message is left out: it may name people. */
function whyOf(answer: SmtpAnswer): { reason?: string } {
  if (answer.kind === 'accepted') return {};
  if (answer.kind === 'declined') return answer.step === 'login' ? { reason: answer.words.slice(0, 300) } : {};
  return { reason: answer.reason.slice(0, 300) };
}
