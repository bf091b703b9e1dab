import { z } from 'zod';
import { channelTypes } from '#contract/reminders.ts';
import { TimeZone } from '#contract/schedules.ts';

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 08:00');

const withoutRepeats = <T>(items: T[]) => [...new Set(items)];

/**
 * When messages may go out. Outside of these hours they wait. `to` at or before `from` lies on the next day: 20:00 to 06:00
 * is open over night. A day (1 is Monday, 7 Sunday) is that of the opening.
 */
export const SendingHours = z
  .strictObject({
    enabled: z.boolean(),
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
    /** By whose clock: the recipient's, where it is known, or always the workspace's. */
    zone: z.enum(['recipient', 'workspace']),
    /** The workspace's own zone. */
    timezone: TimeZone,
    /** Channels that keep to the hours; the others send at any time. */
    channels: z.array(z.enum(channelTypes)).min(1, 'Choose at least one channel').overwrite(withoutRepeats),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'must differ from the opening' });
export type SendingHours = z.output<typeof SendingHours>;
