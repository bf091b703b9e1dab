import type { TopicReason } from '#contract/topics.ts';
import type { DeliveryMessage, ShownMessage } from '#contract/deliveries.ts';
import type { Job } from '#contract/jobs.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Envelope } from '#delivery/adapter.ts';
import { contentHashOf } from '#delivery/content-hash.ts';
import { occasionOf } from '#domain/may-be-sent.ts';
import type { MailSender } from '#domain/message-preview.ts';
import { recipientKey } from '#domain/recipients.ts';
import type { Renderer } from '#domain/rendering.ts';
import type { WrittenMessage } from '#domain/written-message.ts';
import { type RoutePorts, routeOf } from '#features/channels/route.service.ts';
import { contactsAmong } from '#features/contacts/lookup.service.ts';
import { noLongerKept, textsOf } from '#features/jobs/job-text.ts';
import { getJobWithRevision } from '#features/jobs/jobs.service.ts';
import { findDelivery } from '#features/jobs/texts.db.ts';
import { certaintyOf, readerOf, shownText, wasReached, write, type Written } from '#features/jobs/written-text.ts';
import { type Addressed, findTargets } from '#features/reach/reach.service.ts';
import { signingSecretsOf } from '#features/signing-secret/signing-secret.service.ts';
import { mailSenderOf } from '#features/workspaces/mail-sender.service.ts';
import { findTopicState } from '#features/topics/topics.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { AfterCommit } from '#platform/handler.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';

type To = { id: string; channel: ChannelType; recipient: string };

/**
 * The message of a recipient, rendered again from stored data and compared with the hash of the sent message. Messages themselves are not stored,
 * which would multiply the size of the ledger; earlier texts are kept (`reminder_texts`). Throws NotFound for an unknown job, or a recipient that it
 * does not have.
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
  const sender = await mailSenderOf(ctx);
  const contacts = await contactsAmong(ctx, [to.recipient]);
  const reader = readerOf(
    { ...to, name: target.recipient_name },
    { job, companyName: sender.companyName, contact: contacts.get(recipientKey(to.recipient)) ?? null },
  );
  const route = await routeOf(ctx, { type: to.channel, channelId: line?.channel_id ?? null }, ports);
  const { topicId } = found.addressed;
  const required = topicId === null ? null : ((await findTopicState(ctx, topicId))?.why ?? null);
  const signingSecrets = to.channel === 'webhook' ? await signingSecretsOf(ctx, ports.secrets) : [];
  return new AfterCommit(async () => {
    const written: Written[] = [];
    // One after the other, because a workspace renders one message at a time.
    for (const text of found.texts)
      written.push(await write(text, { reader, channel: to.channel, workspaceId, renderer: ports.renderer }));
    return shown({
      isOwnKept: found.isOwnKept,
      job,
      to,
      line,
      sentHash,
      written,
      route,
      name: target.recipient_name ?? reader.contact?.name ?? null,
      sender,
      required,
      signingSecrets,
    });
  });
}

type Known = {
  isOwnKept: boolean;
  job: Job;
  to: To;
  line: Awaited<ReturnType<typeof findDelivery>>;
  sentHash: string | null;
  written: readonly Written[];
  route: Awaited<ReturnType<typeof routeOf>>;
  name: string | null;
  sender: MailSender;
  required: TopicReason | null;
  signingSecrets: readonly string[];
};

function shown({
  isOwnKept,
  job,
  to,
  line,
  sentHash,
  written,
  route,
  name,
  sender,
  required,
  signingSecrets,
}: Known): DeliveryMessage {
  const match = written.find((each) => 'message' in each && contentHashOf(each) === sentHash);
  if (match === undefined && sentHash !== null && !isOwnKept) return { certainty: 'lost', reason: noLongerKept };
  const [first] = written;
  const chosen = match ?? first;
  if (chosen === undefined || 'reason' in chosen)
    return { certainty: 'lost', reason: chosen?.reason ?? 'The message has no text' };

  const certainty = certaintyOf({ sentHash, isMatch: match !== undefined, isReached: wasReached(line?.status) });
  const envelope = {
    ...envelopeOf(job, { to, line, chosen, name, sender, required }),
    signing_secrets: signingSecrets,
  };
  const now = Temporal.Instant.from(line?.last_attempt_at ?? job.scheduled_for);
  const message = route?.adapter.show?.(envelope, { config: route.config, now }) ?? plain(envelope);
  return { certainty, message };
}

async function targetAmong(ctx: TenantContext, addressed: Addressed, { channel, recipient }: To) {
  const key = recipientKey(recipient);
  const { chains } = await findTargets(ctx, addressed);
  return chains.flat().find((each) => each.channel === channel && recipientKey(each.recipient) === key);
}

function envelopeOf(
  job: Job,
  {
    to: { channel, recipient },
    line,
    chosen: { subject, message, formatted },
    name,
    sender,
    required,
  }: {
    to: To;
    required: TopicReason | null;
    line: { id: string; attempts: number } | undefined;
    chosen: WrittenMessage;
    name: string | null;
    sender: MailSender;
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
    ...(formatted !== undefined && { formatted }),
    company_name: sender.companyName,
    ...(channel === 'email' && { mail_style: sender.style, ...(sender.brand !== null && { brand: sender.brand }) }),
    // Without the real link: somebody who looks at the message must not unsubscribe its recipient.
    ...(channel === 'email' && required !== null && { required }),
    ...(channel === 'email' &&
      required === null &&
      occasionOf(job.type) === 'reminder' && { unsubscribe: { page: noLink, oneClick: noLink } }),
  };
}

const noLink = 'about:blank#unsubscribe';

/** A message as text, for phones without a subject. The format of a deleted channel is not known. */
const plain = (envelope: Envelope): ShownMessage => ({ kind: 'text', ...shownText(envelope) });
