import { SendingHours } from '#contract/sending-hours.ts';
import type { ChannelType } from '#contract/channel-types.ts';

/** The sending hours of a workspace, or null when there are none or they are invalid. */
export const hoursOf = (settings: Record<string, unknown>): SendingHours | null =>
  SendingHours.safeParse(settings.sendingHours).data ?? null;

/** The dialog's defaults, in the given (the browser's) zone. */
export const usualHours = (timezone: string): SendingHours => ({
  enabled: true,
  days: [1, 2, 3, 4, 5],
  from: '08:00',
  to: '20:00',
  zone: 'recipient',
  timezone,
  channels: ['email', 'sms', 'whatsapp'],
});

/** Channels that notify people directly come first. */
export const hoursChannels: readonly ChannelType[] = ['email', 'sms', 'whatsapp', 'push', 'slack', 'webhook'];

/** Toggles an item in a list. */
export const switched = <T>(list: readonly T[], one: T): T[] =>
  list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
