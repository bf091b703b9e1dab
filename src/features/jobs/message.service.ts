import type { DeliveryMessage, Job, ShownMessage } from '#contract/jobs.ts';
import type { ChannelType } from '#contract/reminders.ts';
import type { Envelope } from '#delivery/adapter.ts';
import { contentHashOf } from '#delivery/content-hash.ts';
import { recipientKey } from '#domain/recipients.ts';
import { render } from '#domain/template.ts';
import { type Contact, messageValues } from '#domain/variables.ts';
import { type WayPorts, wayOf } from '#features/channels/way.service.ts';
import { contactsAmong } from '#features/contacts/lookup.service.ts';
import { type Addressed, type JobText, textsOf } from '#features/jobs/job-text.ts';
import { getJobWithRevision } from '#features/jobs/jobs.service.ts';
import { targetsNow } from '#features/jobs/targets.service.ts';
import { findCompanyName, findDelivery } from '#features/jobs/texts.db.ts';
import type { TenantContext } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';

type To = { id: string; channel: ChannelType; recipient: string };

/**
 * The message that a recipient got, or is to get: written again from what is saved, and held against the hash of what was
 * sent. Throws NotFound for a job that is not there and for somebody whom it is not for.
 */
export async function showMessage(ctx: TenantContext, to: To, ports: WayPorts): Promise<DeliveryMessage> {
  const job = await getJobWithRevision(ctx, to.id);
  const found = await textsOf(ctx, job);
  const { workspaceId } = ctx;
  const line = await findDelivery(ctx.db, { workspaceId, jobId: job.id, scheduledFor: job.scheduled_for, ...to });
  const target = line ?? ('reason' in found ? undefined : await targetAmong(ctx, found.addressed, to));
  if (target === undefined) throw new NotFound('recipient of this job');
  if ('reason' in found) return { certainty: 'lost', reason: found.reason };

  const sentHash = line?.content_hash ?? null;
  const reader = await readerOf(ctx, { job, to, name: target.recipient_name });
  const written = found.texts.map((text) => write(text, reader));
  const match = written.find((each) => 'message' in each && contentHashOf(each) === sentHash);
  const [first] = written;
  const chosen = match ?? first;
  if (chosen === undefined || 'reason' in chosen)
    return { certainty: 'lost', reason: chosen?.reason ?? 'There is no text' };

  const certainty = sentHash === null ? 'unsent' : match === undefined ? 'changed' : 'sent';
  const way = await wayOf(ctx, { type: to.channel, channelId: line?.channel_id ?? null }, ports);
  const envelope = envelopeOf(job, { to, line, chosen, name: target.recipient_name ?? reader.contact?.name ?? null });
  const now = Temporal.Instant.from(line?.last_attempt_at ?? job.scheduled_for);
  const message = way?.adapter.show?.(envelope, { config: way.config, now }) ?? plain(envelope);
  return { certainty, message };
}

async function targetAmong(ctx: TenantContext, addressed: Addressed, { channel, recipient }: To) {
  const key = recipientKey(recipient);
  const targets = await targetsNow(ctx, addressed);
  return targets.find((each) => each.channel === channel && recipientKey(each.recipient) === key);
}

/** Everything besides the text that a message is made of. */
type Reader = Omit<Parameters<typeof messageValues>[0], 'values' | 'data' | 'timezone'> & { contact: Contact | null };

async function readerOf(
  ctx: TenantContext,
  { job, to, name }: { job: Job; to: To; name: string | null },
): Promise<Reader> {
  const contacts = await contactsAmong(ctx, [to.recipient]);
  const { name: companyName } = await findCompanyName(ctx.db, ctx);
  return {
    recipient: to.recipient,
    recipientName: name,
    companyName,
    scheduledFor: Temporal.Instant.from(job.scheduled_for),
    contact: contacts.get(recipientKey(to.recipient)) ?? null,
  };
}

type Written = { subject: string; message: string } | { reason: string };

function write({ subject, message, ...text }: JobText, reader: Reader): Written {
  const values = messageValues({ ...reader, ...text });
  const [head, body] = [render(subject, values), render(message, values)];
  for (const part of [head, body]) {
    if (part.kind === 'missing') return { reason: `missing variable ${part.variable}` };
    if (part.kind === 'broken') return { reason: `The message cannot be rendered: ${part.reason}` };
  }
  return head.kind === 'rendered' && body.kind === 'rendered'
    ? { subject: head.text, message: body.text }
    : { reason: 'The message cannot be rendered' };
}

function envelopeOf(
  job: Job,
  {
    to: { channel, recipient },
    line,
    chosen: { subject, message },
    name,
  }: {
    to: To;
    line: { id: string; attempts: number } | undefined;
    chosen: { subject: string; message: string };
    name: string | null;
  },
): Envelope {
  const isTest = job.type === 'test_reminder';
  return {
    delivery_id: line?.id ?? nobody,
    workspace_id: job.workspace_id,
    job_id: job.id,
    reminder_id: job.reminder_id,
    name: job.name,
    scheduled_for: job.scheduled_for,
    attempt: Math.max(1, line?.attempts ?? 1),
    channel,
    recipient,
    recipient_name: name,
    subject,
    message,
    is_test: isTest,
    // Whoever looks at the message must not end it for its recipient.
    ...(channel === 'email' && !isTest && { unsubscribe: { page: noLink, oneClick: noLink } }),
  };
}

const nobody = '00000000-0000-0000-0000-000000000000';
const noLink = 'about:blank#unsubscribe';

/** A message to a phone has no subject; of one whose channel is gone the form is not known. */
const plain = ({ channel, subject, message }: Envelope): ShownMessage => ({
  kind: 'text',
  title: channel === 'sms' || channel === 'whatsapp' || subject === '' ? null : subject,
  text: message,
});
