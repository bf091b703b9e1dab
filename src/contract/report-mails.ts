import { z } from 'zod';
import { EmailInput, Id, withoutRepeats } from '#contract/common.ts';
import { TimeZone } from '#contract/schedules.ts';
import { post } from '#contract/route.ts';

export const reportMailLimits = {
  /** Addresses that one report is sent to at a time. */
  addresses: 10,
  /** The largest file that is attached, in bytes; the mail says where a larger one is. */
  attachedBytes: 1_000_000,
} as const;

const addressesMissing = 'Enter at least one address';

export const ReportMailInput = z.strictObject({
  to: z
    .array(EmailInput)
    .min(1, addressesMissing)
    .max(reportMailLimits.addresses, `Enter at most ${reportMailLimits.addresses} addresses`)
    .transform(withoutRepeats),
  /** One person: a contact's id, or the address or number of a recipient who is none; everybody by default. */
  contact: Id.optional(),
  recipient: z.string().max(2_048).optional(),
  /** In which the mail tells times. */
  timezone: TimeZone.default('UTC'),
});
export type ReportMailInput = z.output<typeof ReportMailInput>;

/** `suppressed`: the address is on the workspace's suppression list. `refused`: the mail server did not accept the mail. */
const ReportMailOutcome = z.object({ address: z.string(), outcome: z.enum(['sent', 'suppressed', 'refused']) });
export type ReportMailOutcome = z.output<typeof ReportMailOutcome>;

export const reportMailRoutes = {
  mailReport: post('/api/jobs/:id/report/mail', {
    access: 'admin',
    callers: 'people',
    summary: 'Mail the report of a job to some addresses, with the report as CSV where it is not too large',
    isCostly: true,
    limit: { usage: 'report_mails', cost: (body) => ReportMailInput.parse(body).to.length },
    body: ReportMailInput,
    answer: z.object({ data: z.array(ReportMailOutcome) }),
  }),
};
