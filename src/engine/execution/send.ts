import { isAddressed } from '#contract/channel-types.ts';
import type { Envelope, Network } from '#delivery/adapter.ts';
import { notSentByUs } from '#delivery/answer.ts';
import { contentHashOf } from '#delivery/content-hash.ts';
import {
  adapterFailed,
  cannotBeRendered,
  type Reason,
  variableIsMissing,
  wasNotRendered,
} from '#domain/ledger-reasons.ts';
import { describeNetworkError, isOwnFault } from '#platform/outbound/network-error.ts';
import type { Outcome } from '#domain/outcome.ts';
import { linkEndsMs, withLink } from '#domain/preferences-link.ts';
import { addresseeOf } from '#domain/recipients.ts';
import type { Renderer } from '#domain/rendering.ts';
import { type Contact, messageValues } from '#domain/variables.ts';
import { type NotWritten, writeMessage, type WrittenMessage } from '#domain/written-message.ts';
import type { Brand } from '#domain/white-label.ts';
import type { Route } from '#engine/run/routes.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';
import { forTenant } from '#platform/outbound/http.ts';
import { openSigningSecrets } from '#platform/signing.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type Sent = { outcome: Outcome; provider: string | null; channelId: string | null; contentHash: string | null };

/**
 * Renders one delivery and passes it to its adapter. An exception of an adapter is an internal fault, and the attempt
 * is tried again.
 */
export async function sendDelivery(
  run: JobRun,
  {
    delivery,
    route,
    network,
    secrets,
    renderer,
  }: { delivery: LiveDelivery; route: Route; network: Network; secrets: SecretBox; renderer: Renderer },
): Promise<Sent> {
  const contact = run.contactOf(delivery);
  const writing = write(run, { delivery, contact, renderer });
  const written = writing instanceof Promise ? await writing : writing;
  if ('outcome' in written) return written;
  if ('problem' in route) return route.isOff ? unsent(route.problem) : failed(route.problem);

  const contentHash = contentHashOf(written);
  const provider = route.adapter.provider;
  try {
    const sent = revealed(written, { run, delivery, network });
    const outcome = await route.adapter.send(envelopeOf(run, { delivery, contact, network, secrets, ...sent }), {
      config: route.config,
      network: networkOf(run.job.workspace_id, network),
    });
    return { outcome, provider, channelId: route.channelId, contentHash };
  } catch (error) {
    if (isOwnFault(error))
      return { outcome: notSentByUs(describeNetworkError(error)), provider, channelId: route.channelId, contentHash };
    const reason = adapterFailed(provider, error instanceof Error ? error.message : String(error));
    return {
      outcome: { outcome: 'failed', ...reason, permanent: false },
      provider,
      channelId: route.channelId,
      contentHash,
    };
  }
}

/** A requested link is in the message that is sent alone: neither the job has it nor the ledger. */
function revealed(
  written: WrittenMessage,
  { run, delivery: { channel, recipient }, network }: { run: JobRun; delivery: LiveDelivery; network: Network },
): WrittenMessage {
  if (run.job.type !== 'preferences_link') return written;
  const freshUntil = Temporal.Instant.fromEpochMilliseconds(linkEndsMs(run.scheduledForMs));
  const link = network.preferencesLink?.({ workspaceId: run.job.workspace_id, channel, recipient, freshUntil });
  if (link === undefined) throw new Error('no links are made here');
  return withLink(written, link);
}

let last: { all: Network; workspaceId: string; own: Network } | null = null;

/** The network with the connections of this workspace. Cached, because neighbours often belong to the same one. */
function networkOf(workspaceId: string, all: Network): Network {
  if (last?.all !== all || last.workspaceId !== workspaceId)
    last = { all, workspaceId, own: { ...all, http: forTenant(all.http, workspaceId) } };
  return last.own;
}

type To = { delivery: LiveDelivery; contact: Contact | null };

type Written = WrittenMessage | Sent;

/** Renders the message for this recipient. Returns the problem when it cannot be rendered. */
function write(run: JobRun, { delivery, contact, renderer }: To & { renderer: Renderer }): Written | Promise<Written> {
  try {
    const values = messageValues({
      recipient: addresseeOf(delivery.channel, delivery.recipient),
      recipientName: isAddressed(delivery.channel) ? delivery.recipient_name : null,
      companyName: run.sender.companyName,
      scheduledForMs: run.scheduledForMs,
      timezone: run.work.timezone,
      values: run.work.values,
      data: run.work.data,
      contact,
    });
    const written = writeMessage(run.work, {
      renderer,
      channel: delivery.channel,
      workspaceId: run.job.workspace_id,
      values,
    });
    return written instanceof Promise ? written.then(writtenOr, notRendered) : writtenOr(written);
  } catch (error) {
    return refused({ kind: 'broken', reason: error instanceof Error ? error.message : String(error) });
  }
}

const writtenOr = (written: WrittenMessage | NotWritten): Written => ('kind' in written ? refused(written) : written);

/** The outcome when the renderer failed, which is no fault of the message. */
const notRendered = (error: unknown): Sent => ({
  outcome: {
    outcome: 'failed',
    ...wasNotRendered(error instanceof Error ? error.message : String(error)),
    permanent: false,
  },
  ...nowhere,
});

function envelopeOf(
  run: JobRun,
  {
    delivery,
    contact,
    network,
    secrets,
    subject,
    message,
    formatted,
  }: To & { network: Network; secrets: SecretBox } & WrittenMessage,
): Envelope {
  const envelope: Envelope = {
    delivery_id: delivery.id,
    workspace_id: run.job.workspace_id,
    job_id: run.job.id,
    reminder_id: run.job.reminder_id,
    name: run.job.name,
    scheduled_for: run.job.scheduled_for,
    attempt: delivery.attempts,
    channel: delivery.channel,
    recipient: delivery.recipient,
    recipient_name: delivery.recipient_name ?? contact?.name ?? null,
    subject,
    message,
    is_test: run.work.occasion === 'test',
    hops: run.work.hops,
    ...(formatted !== undefined && { formatted }),
    company_name: run.sender.companyName,
    ...(run.work.pushTo !== null && { push_to: run.work.pushTo }),
  };
  const { channel, recipient } = envelope;
  if (channel === 'email') {
    const { mailStyle, brand } = run.sender;
    envelope.mail_style = mailStyle;
    if (brand !== null) envelope.brand = { ...brand, logo: publicLogo(brand, network) };
  }
  if (channel === 'webhook' && run.sender.signing !== null)
    envelope.signing_secrets = openSigningSecrets(run.sender.signing, { secrets, now: network.now() });
  const { topicId } = run.work;
  if (channel === 'email' && run.required !== null) envelope.required = run.required;
  else if (channel === 'email' && run.work.occasion === 'reminder')
    envelope.unsubscribe = network.unsubscribeLinks?.({
      workspaceId: envelope.workspace_id,
      channel,
      recipient,
      topicId,
    });
  return envelope;
}

const publicLogo = ({ logo }: Brand, { publicUrl }: Network): string | null =>
  logo === null ? null : (publicUrl?.(logo) ?? null);

function refused(rendered: NotWritten): Sent {
  switch (rendered.kind) {
    case 'missing':
      return failed(variableIsMissing(rendered.variable));
    case 'broken':
      return failed(cannotBeRendered(rendered.reason));
    default:
      return rendered satisfies never;
  }
}

const nowhere = { provider: null, channelId: null, contentHash: null };
const failed = (reason: Reason): Sent => ({ outcome: { outcome: 'failed', ...reason, permanent: true }, ...nowhere });

/** The outcome of a delivery that is skipped on purpose. */
export const unsent = ({ code, reason }: Reason): Sent => ({
  outcome: { outcome: 'skipped', code, reason },
  ...nowhere,
});
