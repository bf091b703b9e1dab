import type { ChannelType } from '#contract/channel-types.ts';
import type { DeliveryWithTimeline } from '#contract/deliveries.ts';
import type { ReminderMetadata } from '#contract/reminders.ts';
import { nextChannelIn } from '#domain/reason-values.ts';
import type { z } from 'zod';

type Line = Pick<
  DeliveryWithTimeline,
  'channel' | 'contact_id' | 'recipient' | 'status' | 'reason_params' | 'timeline'
>;
type Order = Pick<z.output<typeof ReminderMetadata>, 'channels' | 'channel_mode'>;

/** Whether a provider has reported, after it had accepted the message, that it failed, and nothing followed. */
export const hasFailedLate = ({ status, reason_params: params, timeline }: Line): boolean =>
  status === 'failed' && nextChannelIn(params) === null && timeline.at(-1)?.kind === 'report';

/** What a retry does for people whose message has failed late: it begins with a channel that was not tried. Null where there is none. */
export function retryText(lines: readonly Line[], { channels, channel_mode: mode }: Order): string | null {
  if (mode !== 'in_order') return null;
  for (const late of lines.filter(hasFailedLate)) {
    const tried = lines.filter((line) => isSamePerson(line, late)).map(({ channel }) => channel);
    const next = channels.find((channel) => !tried.includes(channel));
    if (next !== undefined) return retriedOver(next, late.channel);
  }
  return null;
}

const isSamePerson = (a: Line, b: Line) =>
  a.contact_id === null ? a.recipient === b.recipient : a.contact_id === b.contact_id;

const retriedOver = (next: ChannelType, failed: ChannelType) =>
  `Retry tries ${next} before ${failed} for people whose message was reported as failed, if they can be reached there.`;
