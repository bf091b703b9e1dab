import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import type { Certainty, DeliveryStatus } from '#contract/deliveries.ts';
import type { Job } from '#contract/jobs.ts';
import { cannotBeRendered, variableIsMissing } from '#domain/ledger-reasons.ts';
import { resolvedText } from '#domain/message-format/slack-mentions.ts';
import { addresseeOf } from '#domain/recipients.ts';
import type { Renderer } from '#domain/rendering.ts';
import { type Contact, messageValues } from '#domain/variables.ts';
import { writeMessage, type WrittenMessage } from '#domain/written-message.ts';
import type { JobText } from '#features/jobs/job-text.ts';

/** Everything that a message is rendered from, except the text. */
export type Reader = Omit<Parameters<typeof messageValues>[0], 'values' | 'data' | 'timezone'> & {
  contact: Contact | null;
};

/** Whom a job's message addresses, as the engine does: a fixed recipient has no name. */
export const readerOf = (
  { channel, recipient, name }: { channel: ChannelType; recipient: string; name: string | null },
  { job, companyName, contact }: { job: Job; companyName: string; contact: Contact | null },
): Reader => ({
  recipient: addresseeOf(channel, recipient),
  recipientName: isAddressed(channel) ? name : null,
  companyName,
  scheduledForMs: Date.parse(job.scheduled_for),
  contact,
});

/** Title and text for somebody who reads what was written: phones show no subject, and Slack's marks and escapes are resolved. */
export const shownText = ({
  channel,
  subject,
  message,
}: {
  channel: ChannelType;
  subject: string;
  message: string;
}): { title: string | null; text: string } => ({
  title: channel === 'sms' || channel === 'whatsapp' || subject === '' ? null : subject,
  text: channel === 'slack' ? resolvedText(message) : message,
});

/** How sure it is that a text is what was sent. */
export function certaintyOf({
  sentHash,
  isMatch,
  isReached,
}: {
  sentHash: string | null;
  isMatch: boolean;
  isReached: boolean;
}): Certainty {
  if (isMatch) return 'sent';
  if (sentHash !== null) return 'changed';
  return isReached ? 'unverified' : 'unsent';
}

export const wasReached = (status: DeliveryStatus | undefined) => status === 'accepted' || status === 'delivered';

export type Written = WrittenMessage | { reason: string };

type Of = { reader: Reader; channel: ChannelType; workspaceId: string; renderer: Renderer };

/** Renders a text for one recipient; a reason where that is not possible. */
export async function write(text: JobText, { reader, ...of }: Of): Promise<Written> {
  const written = await writeMessage(text, { ...of, values: valuesOf(text, reader) });
  if (!('kind' in written)) return written;
  return {
    reason:
      written.kind === 'missing' ? variableIsMissing(written.variable).reason : cannotBeRendered(written.reason).reason,
  };
}

/** A job's name with the values of one recipient; as it is where that is not possible. */
export async function writeName(
  name: string,
  { text, reader, renderer, workspaceId }: Omit<Of, 'channel'> & { text: JobText },
) {
  const [written] = await renderer.message([name], { workspaceId, values: valuesOf(text, reader) });
  return written?.kind === 'rendered' ? written.text : name;
}

const valuesOf = (text: JobText, reader: Reader) => messageValues({ ...reader, ...text });
