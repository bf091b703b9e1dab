import { z } from 'zod';
import { Empty, InstantText } from '#contract/common.ts';
import { put } from '#contract/route.ts';

/** What administrators of the installation are told by mail, each at most once a day. */
export const alertCauses = ['backup_failed', 'disk_nearly_full', 'late_deliveries', 'sign_in_failures'] as const;
export type AlertCause = (typeof alertCauses)[number];

export const Alert = z.object({
  cause: z.enum(alertCauses),
  /** The day (UTC) of the alert: a cause is mailed once a day. */
  day: z.iso.date(),
  /** What is wrong, in a sentence or two. */
  detail: z.string(),
  first_at: InstantText,
  last_at: InstantText,
  /** When it was mailed; null while no mail to an administrator has been accepted. */
  mailed_at: InstantText.nullable(),
  /** When the cause ended; null while it goes on. */
  resolved_at: InstantText.nullable(),
});
export type Alert = z.output<typeof Alert>;

export const alertRoutes = {
  dismissAlert: put('/api/admin/alerts/:cause/:day/dismissal', {
    access: 'system_admin',
    summary: 'Take an alert from the console; it comes back when its cause does',
    params: Alert.pick({ cause: true, day: true }),
    answer: Empty,
  }),
};
