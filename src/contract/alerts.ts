import { z } from 'zod';
import { InstantText } from '#contract/common.ts';

/** What administrators of the installation are told by mail, each at most once a day. */
export const alertCauses = ['backup_failed', 'disk_nearly_full', 'late_deliveries', 'sign_in_failures'] as const;
export type AlertCause = (typeof alertCauses)[number];

export const Alert = z.object({
  cause: z.enum(alertCauses),
  /** The day (UTC) that it is counted for. */
  day: z.iso.date(),
  /** What is wrong, in a sentence or two. */
  detail: z.string(),
  first_at: InstantText,
  last_at: InstantText,
  /** Null where no mail to an administrator was accepted. */
  mailed_at: InstantText.nullable(),
});
export type Alert = z.output<typeof Alert>;
