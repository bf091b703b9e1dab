import { isEmailAddress } from '#contract/email-address.ts';
import type { Adapter, SmtpAnswer } from '#delivery/adapter.ts';
import type { Outcome } from '#domain/outcome.ts';
import { parseBounceCallback } from './bounce.callback.ts';
import { composeMail } from './mail.ts';
import { EmailConfig } from './smtp.config.ts';

/** Mail through the workspace's own server. The Message-ID is the same for every attempt. */
export const adapter: Adapter<EmailConfig> = {
  type: 'email',
  provider: 'smtp',
  title: 'SMTP',
  shape: EmailConfig,
  secretFields: ['password'],
  destinationFields: ['smtp_host', 'smtp_port', 'use_tls'],
  fields: [
    { name: 'smtp_host', label: 'SMTP Host', kind: 'text', required: true, placeholder: 'smtp.example.com' },
    { name: 'smtp_port', label: 'SMTP Port', kind: 'number', required: true, placeholder: '587' },
    { name: 'username', label: 'Username', kind: 'text', required: true, placeholder: 'you@example.com' },
    { name: 'password', label: 'Password', kind: 'password', required: false },
    {
      name: 'from_email',
      label: 'From Email',
      kind: 'text',
      required: false,
      placeholder: 'noreply@example.com',
      help: 'Default: the username',
    },
    {
      name: 'from_name',
      label: 'From Name',
      kind: 'text',
      required: false,
      placeholder: 'Your company',
      help: 'Default: the name of the workspace',
    },
    { name: 'use_tls', label: 'Use TLS', kind: 'switch', required: false, default: true },
    {
      name: 'reply_to',
      label: 'Reply To',
      kind: 'text',
      required: false,
      placeholder: 'office@example.com',
      help: 'Receives answers and unsubscribe mails; if blank, answers go to the sender',
    },
    {
      name: 'return_address',
      label: 'Return Address',
      kind: 'text',
      required: false,
      placeholder: 'bounces@example.com',
      help: 'Receives bounce reports; if blank, they go to the sender',
    },
  ],
  destinationOf: (_, config) => `${config.smtp_host}:${config.smtp_port}`,
  async send(envelope, { config, network }) {
    if (!isEmailAddress(envelope.recipient)) {
      const reason = `“${envelope.recipient}” is not an email address`;
      return { outcome: 'failed', permanent: true, code: 'no_such_address', reason };
    }
    const mail = composeMail(envelope, { config, now: network.now() });
    return outcomeOf(await network.smtp.send(config, mail), mail.messageId);
  },
  show(envelope, at) {
    const { from, to, subject, text, html } = composeMail(envelope, at);
    return { kind: 'email', from: withName(from), to: withName(to), subject, text, html: html ?? null };
  },
  callbacksPerMinute: 600,
  parseCallback: parseBounceCallback,
};

const withName = ({ name, address }: { name: string; address: string }) =>
  name === '' ? address : `${name} <${address}>`;

function outcomeOf(answer: SmtpAnswer, messageId: string): Outcome {
  switch (answer.kind) {
    case 'accepted':
      return { outcome: 'accepted', receipt: queueId(answer.response) ?? messageId, answer: answer.response };
    case 'declined':
      return { outcome: 'failed', permanent: answer.isPermanent, reason: declined(answer) };
    case 'not_sent':
      return { outcome: 'failed', permanent: false, code: 'unreachable', reason: `Not sent: ${answer.reason}` };
    case 'refused':
      return { outcome: 'failed', permanent: true, code: 'unreachable', reason: `Not sent: ${answer.reason}` };
    case 'lost':
      return { outcome: 'unknown', reason: `Sent, but not confirmed: ${answer.reason}` };
    default:
      return answer satisfies never;
  }
}

function declined({ step, words }: Extract<SmtpAnswer, { kind: 'declined' }>): string {
  return step === 'login' ? `The mail server did not accept the user name and password: ${words}` : words;
}

/** The server's id for the message, in the formats of Postfix, Exim, Sendmail, Exchange and Amazon SES. */
function queueId(response: string): string | null {
  const match =
    /\bqueued(?: mail)?(?: for delivery)? as ([\w.-]+)/i.exec(response) ??
    /\bid=([\w.-]+)/i.exec(response) ??
    /^250 2\.0\.0 ([\w.-]+) Message accepted/i.exec(response) ??
    /^250 2\.[\d.]+ (?:OK )?(<[^<>\s]+>)/i.exec(response) ??
    /^250 Ok ([\da-f-]{20,})$/i.exec(response);
  return match?.[1] ?? null;
}
