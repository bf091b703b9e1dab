import type { Envelope, Network } from '#delivery/adapter.ts';
import { contentHashOf } from '#delivery/content-hash.ts';
import type { Outcome } from '#domain/outcome.ts';
import { render, type Rendered } from '#domain/template.ts';
import { type Contact, messageValues } from '#domain/variables.ts';
import { contactOf } from '#engine/contacts.ts';
import type { LiveDelivery, Route, Run } from '#engine/run.ts';

export type Sent = { outcome: Outcome; provider: string | null; channelId: string | null; contentHash: string | null };

/** Renders one delivery and hands it to its adapter. What an adapter throws is our fault, and is tried again. */
export async function sendDelivery(
  run: Run,
  { delivery, route, network }: { delivery: LiveDelivery; route: Route; network: Network },
): Promise<Sent> {
  const contact = contactOf(run, delivery);
  const written = write(run, { delivery, contact });
  if ('outcome' in written) return written;
  if ('problem' in route) return route.isOff ? unsent(route.problem) : failed(route.problem);

  const contentHash = contentHashOf(written);
  const provider = route.adapter.provider;
  try {
    const outcome = await route.adapter.send(envelopeOf(run, { delivery, contact, network, ...written }), {
      config: route.config,
      network,
    });
    return { outcome, provider, channelId: route.channelId, contentHash };
  } catch (error) {
    const reason = `The ${provider} adapter failed: ${error instanceof Error ? error.message : String(error)}`;
    return {
      outcome: { outcome: 'failed', reason, permanent: false },
      provider,
      channelId: route.channelId,
      contentHash,
    };
  }
}

type To = { delivery: LiveDelivery; contact: Contact | null };

/** The message as this recipient is to read it, or why it cannot be written. */
function write(run: Run, { delivery, contact }: To): { subject: string; message: string } | Sent {
  try {
    const values = messageValues({
      recipient: delivery.recipient,
      recipientName: delivery.recipient_name,
      companyName: run.companyName,
      scheduledFor: run.scheduledFor,
      timezone: run.work.timezone,
      values: run.work.values,
      data: run.work.data,
      contact,
    });
    const subject = render(run.work.subject, values);
    if (subject.kind !== 'rendered') return refused(subject);
    const message = render(run.work.message, values);
    if (message.kind !== 'rendered') return refused(message);
    return { subject: subject.text, message: message.text };
  } catch (error) {
    return refused({ kind: 'broken', reason: error instanceof Error ? error.message : String(error) });
  }
}

function envelopeOf(
  run: Run,
  { delivery, contact, network, subject, message }: To & { network: Network; subject: string; message: string },
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
    is_test: run.work.isTest,
  };
  const { channel, recipient } = envelope;
  if (channel === 'email' && !envelope.is_test)
    envelope.unsubscribe = network.unsubscribeLinks?.({ workspaceId: envelope.workspace_id, channel, recipient });
  return envelope;
}

function refused(rendered: Exclude<Rendered, { kind: 'rendered' }>): Sent {
  switch (rendered.kind) {
    case 'missing':
      return failed(`missing variable ${rendered.variable}`);
    case 'broken':
      return failed(`The message cannot be rendered: ${rendered.reason}`);
    default:
      return rendered satisfies never;
  }
}

const nowhere = { provider: null, channelId: null, contentHash: null };
const failed = (reason: string): Sent => ({ outcome: { outcome: 'failed', reason, permanent: true }, ...nowhere });

/** Not sent, on purpose. */
export const unsent = (reason: string): Sent => ({ outcome: { outcome: 'skipped', reason }, ...nowhere });
