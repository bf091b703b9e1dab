import { SendingHours } from '#contract/sending-hours.ts';
import type { ChannelType } from '#contract/reminders.ts';

/** What a workspace has set, null where it has set nothing that can be read. */
export const hoursOf = (settings: Record<string, unknown>): SendingHours | null =>
  SendingHours.safeParse(settings.sendingHours).data ?? null;

/** What the dialog begins with, in the given (the browser's) zone. */
export const usualHours = (timezone: string): SendingHours => ({
  enabled: true,
  days: [1, 2, 3, 4, 5],
  from: '08:00',
  to: '20:00',
  zone: 'recipient',
  timezone,
  channels: ['email', 'sms', 'whatsapp'],
});

/** Channels that people are disturbed by come first. */
export const hoursChannels: readonly ChannelType[] = ['email', 'sms', 'whatsapp', 'push', 'slack', 'webhook'];

/** The list with this one in it, or without it if it was. */
export const switched = <T>(list: readonly T[], one: T): T[] =>
  list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
