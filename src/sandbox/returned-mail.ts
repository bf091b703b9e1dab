import { randomUUIDv7 } from 'node:crypto';
import type { magicBounces } from '#contract/simulated-failures.ts';
import { type Emulator, reportTimeoutMs } from './emulator.ts';
import { type Intake, type SandboxMessage, storable } from './intake.ts';
import type { WebhookOf } from './request-intake.ts';
import type { Reporter } from './reporter.ts';

/** A stored mail that is to be returned. */
export type ReturnedMail = {
  mail: SandboxMessage;
  workspaceId: string;
  raw: Buffer;
  /** The id that the sender gave it (RFC 3461). */
  envelopeId: string | null;
  bounce: (typeof magicBounces)[number];
};

type Deps = { keep: Intake['keep']; webhookOf: WebhookOf; reporter: Reporter; now: () => Temporal.Instant };

/** Stores the bounce in the sender's mailbox, and posts it to the workspace's bounce address. */
export function createReturns({ keep, webhookOf, reporter, now }: Deps) {
  return async (returned: ReturnedMail): Promise<void> => {
    const { mail, workspaceId } = returned;
    const report = bounceOf(returned, now());
    await keep({
      ...mail,
      id: randomUUIDv7(),
      sender: daemon,
      recipient: mail.sender,
      subject: 'Undelivered Mail Returned to Sender',
      text: wordsFor(returned),
      html: null,
      headers: {},
      raw: storable(report),
      reply_to: mail.id,
      raw_size: Buffer.byteLength(report),
      received_at: now().toString(),
    });
    const callbackUrl = await webhookOf({ workspaceId, channel: 'email', provider: 'smtp' });
    if (callbackUrl === null) return;
    const { id, channel, sender, recipient, text, segments } = mail;
    const message = { id, workspaceId, channel, sender, recipient, text, raw: report, segments, callbackUrl };
    reporter.schedule({ emulator: bouncer, message, outcome: 'failed' });
  };
}

const daemon = 'MAILER-DAEMON@cuebird.test';

/** Posts the bounce like a pipe of a mail server. */
const bouncer: Pick<Emulator, 'report'> = {
  report: ({ callbackUrl, raw }, { happening }) =>
    happening.kind === 'failed' && raw !== null
      ? [
          {
            url: callbackUrl,
            method: 'POST',
            headers: ['content-type', 'message/rfc822'],
            body: raw,
            timeoutMs: reportTimeoutMs,
          },
        ]
      : [],
};

const wordsFor = ({ mail, bounce }: ReturnedMail) => `This is the mail system of the sandbox.

Your message could not be delivered to:

<${mail.recipient}>: ${bounce.words}
`;

/** A bounce in the format of mail servers (RFC 3464), with the headers of the mail. */
function bounceOf(returned: ReturnedMail, now: Temporal.Instant): string {
  const { mail, raw, envelopeId, bounce } = returned;
  const boundary = `sandbox-${mail.id}`;
  const [sentHeaders = ''] = raw.toString('latin1').split('\r\n\r\n', 1);
  const [, status = '5.0.0'] = bounce.words.split(' ');
  return [
    `From: Mail Delivery System <${daemon}>`,
    `To: ${mail.sender}`,
    'Subject: Undelivered Mail Returned to Sender',
    `Date: ${new Date(now.epochMilliseconds).toUTCString().replace('GMT', '+0000')}`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    wordsFor(returned).replaceAll('\n', '\r\n'),
    `--${boundary}`,
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; sandbox.cuebird.test',
    ...(envelopeId === null ? [] : [`Original-Envelope-Id: ${envelopeId}`]),
    '',
    `Final-Recipient: rfc822; ${mail.recipient}`,
    'Action: failed',
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${bounce.words}`,
    '',
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    '',
    sentHeaders,
    '',
    `--${boundary}--`,
    '',
  ].join('\r\n');
}
