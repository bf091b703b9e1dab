import { z } from 'zod';
import { withoutRepeats } from '#contract/common.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { TimeZone } from '#contract/schedules.ts';

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 08:00');

/** Hours of days of the week. A `to` at or before `from` is on the next day; a day (1 is Monday, 7 Sunday) is that on which the hours begin. */
export const hoursOfDays = {
  days: z
    .array(
      z
        .number()
        .int('must be a day from 1 to 7')
        .min(1, 'must be a day from 1 to 7')
        .max(7, 'must be a day from 1 to 7'),
    )
    .min(1, 'Choose at least one day')
    .overwrite(withoutRepeats),
  from: TimeOfDay,
  to: TimeOfDay,
};

/**
 * When messages may be sent; outside of these hours they wait. A `to` at or before `from` is on the next day: 20:00 to 06:00 covers the
 * night. A day (1 is Monday, 7 Sunday) is the day on which the hours begin.
 */
export const SendingHours = z
  .strictObject({
    enabled: z.boolean(),
    ...hoursOfDays,
    /** Whose timezone applies: the recipient's, if it is known, or always the workspace's. */
    zone: z.enum(['recipient', 'workspace']),
    /** The workspace's timezone. */
    timezone: TimeZone,
    /** The channels that the hours apply to; the others send at any time. */
    channels: z.array(z.enum(channelTypes)).min(1, 'Choose at least one channel').overwrite(withoutRepeats),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'must differ from the opening' });
export type SendingHours = z.output<typeof SendingHours>;
