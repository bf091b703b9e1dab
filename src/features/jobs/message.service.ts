import type { DeliveryMessage, ShownMessage } from '#contract/deliveries.ts';
import type { Job } from '#contract/jobs.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Envelope } from '#delivery/adapter.ts';
import { contentHashOf } from '#delivery/content-hash.ts';
import { variableIsMissing } from '#domain/ledger-reasons.ts';
import { recipientKey } from '#domain/recipients.ts';
import type { Renderer } from '#domain/rendering.ts';
import { type Contact, messageValues } from '#domain/variables.ts';
import { type RoutePorts, routeOf } from '#features/channels/route.service.ts';
import { contactsAmong } from '#features/contacts/lookup.service.ts';
import { type JobText, textsOf } from '#features/jobs/job-text.ts';
import { getJobWithRevision } from '#features/jobs/jobs.service.ts';
import { findDelivery } from '#features/jobs/texts.db.ts';
import { type Addressed, companyNameOf, findTargets } from '#features/reach/reach.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { AfterCommit } from '#platform/handler.ts';
import { nilUuid } from '#platform/nil-uuid.ts';

type To = { id: string; channel: ChannelType; recipient: string };

/**
 * The message of a recipient, rendered again from saved data and compared with the hash of the sent message. Messages are not stored, as
 * this would multiply the size of the ledger; an edit keeps the text that it replaces (`reminder_texts`). Throws NotFound for an
 * unknown job and for a recipient that it does not have.
 */
export async function showMessage(
  ctx: TenantContext,
  to: To,
  ports: RoutePorts & { renderer: Renderer },
): Promise<DeliveryMessage | AfterCommit<DeliveryMessage>> {
  const job = await getJobWithRevision(ctx, to.id);
  const found = await textsOf(ctx, job);
  const { workspaceId } = ctx;
  const line = await findDelivery(ctx.db, { workspaceId, jobId: job.id, scheduledFor: job.scheduled_for, ...to });
  const target = line ?? ('reason' in found ? undefined : await targetAmong(ctx, found.addressed, to));
  if (target === undefined) throw new NotFound('recipient of this job');
  if ('reason' in found) return { certainty: 'lost', reason: found.reason };

  const sentHash = line?.content_hash ?? null;
  const reader = await readerOf(ctx, { job, to, name: target.recipient_name });
  const route = await routeOf(ctx, { type: to.channel, channelId: line?.channel_id ?? null }, ports);
  return new AfterCommit(async () => {
    const written: Written[] = [];
    // One at a time: a workspace renders one message at a time.
    for (const text of found.texts) written.push(await write(text, { reader, workspaceId, renderer: ports.renderer }));
    return shown({
      job,
      to,
      line,
      sentHash,
      written,
      route,
      name: target.recipient_name ?? reader.contact?.name ?? null,
      companyName: reader.companyName,
    });
  });
}

type Known = {
  job: Job;
  to: To;
  line: Awaited<ReturnType<typeof findDelivery>>;
  sentHash: string | null;
  written: readonly Written[];
  route: Awaited<ReturnType<typeof routeOf>>;
  name: string | null;
  companyName: string;
};

function shown({ job, to, line, sentHash, written, route, name, companyName }: Known): DeliveryMessage {
  const match = written.find((each) => 'message' in each && contentHashOf(each) === sentHash);
  const [first] = written;
  const chosen = match ?? first;
  if (chosen === undefined || 'reason' in chosen)
    return { certainty: 'lost', reason: chosen?.reason ?? 'The message has no text' };

  const certainty = sentHash === null ? 'unsent' : match === undefined ? 'changed' : 'sent';
  const envelope = envelopeOf(job, { to, line, chosen, name, companyName });
  const now = Temporal.Instant.from(line?.last_attempt_at ?? job.scheduled_for);
  const message = route?.adapter.show?.(envelope, { config: route.config, now }) ?? plain(envelope);
  return { certainty, message };
}

async function targetAmong(ctx: TenantContext, addressed: Addressed, { channel, recipient }: To) {
  const key = recipientKey(recipient);
  const { chains } = await findTargets(ctx, addressed);
  return chains.flat().find((each) => each.channel === channel && recipientKey(each.recipient) === key);
}

/** Everything that a message is rendered from, except the text. */
type Reader = Omit<Parameters<typeof messageValues>[0], 'values' | 'data' | 'timezone'> & { contact: Contact | null };

async function readerOf(
  ctx: TenantContext,
  { job, to, name }: { job: Job; to: To; name: string | null },
): Promise<Reader> {
  const contacts = await contactsAmong(ctx, [to.recipient]);
  return {
    recipient: to.recipient,
    recipientName: name,
    companyName: await companyNameOf(ctx),
    scheduledFor: Temporal.Instant.from(job.scheduled_for),
    contact: contacts.get(recipientKey(to.recipient)) ?? null,
  };
}

type Written = { subject: string; message: string } | { reason: string };

async function write(
  { subject, message, ...text }: JobText,
  { reader, workspaceId, renderer }: { reader: Reader; workspaceId: string; renderer: Renderer },
): Promise<Written> {
  const values = messageValues({ ...reader, ...text });
  const parts = await renderer.message([subject, message], { workspaceId, values });
  for (const part of parts) {
    if (part.kind === 'missing') return { reason: variableIsMissing(part.variable) };
    if (part.kind === 'broken') return { reason: `The message cannot be rendered: ${part.reason}` };
  }
  const [head, body] = parts;
  return head?.kind === 'rendered' && body?.kind === 'rendered'
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
    companyName,
  }: {
    to: To;
    line: { id: string; attempts: number } | undefined;
    chosen: { subject: string; message: string };
    name: string | null;
    companyName: string;
  },
): Envelope {
  const isTest = job.type === 'test_reminder';
  return {
    delivery_id: line?.id ?? nilUuid,
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
    company_name: companyName,
    // A link in the displayed message must not unsubscribe its recipient.
    ...(channel === 'email' && !isTest && { unsubscribe: { page: noLink, oneClick: noLink } }),
  };
}

const noLink = 'about:blank#unsubscribe';

/** A message to a phone has no subject. The format of a deleted channel is unknown. */
const plain = ({ channel, subject, message }: Envelope): ShownMessage => ({
  kind: 'text',
  title: channel === 'sms' || channel === 'whatsapp' || subject === '' ? null : subject,
  text: message,
});
