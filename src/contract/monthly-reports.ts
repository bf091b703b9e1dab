import { z } from 'zod';
import { EmailInput, Empty, Id, InstantText } from '#contract/common.ts';
import { del, get, patch, post } from '#contract/route.ts';

export const monthlyReportLimits = {
  /** Monthly reports of a workspace. */
  reports: 50,
  /** Runs in the file of a monthly report; the figures are of all. */
  runs: 5_000,
  /** Runs in the text of the mail. */
  runsInText: 20,
} as const;

/** What a report is about: the whole workspace, one of its reminders, or the people of a group. */
const About = { reminder_id: Id.nullable().default(null), group_id: Id.nullable().default(null) };

export const MonthlyReportInput = z
  .strictObject({ address: EmailInput, ...About })
  .refine(({ reminder_id, group_id }) => reminder_id === null || group_id === null, {
    path: ['group_id'],
    message: 'Choose a reminder or a group, not both',
  });
export type MonthlyReportInput = z.output<typeof MonthlyReportInput>;

const MonthlyReport = z.object({
  id: Id,
  address: z.string(),
  reminder_id: Id.nullable(),
  group_id: Id.nullable(),
  /** The name of the reminder or group; null for the whole workspace. */
  about: z.string().nullable(),
  /**
   * Why this report is not mailed, for reasons of its own; pauses and suspensions of the workspace are not among them. `declined`: the mail server did not
   * take it for this address. `unreachable`: the report could not be made, or the mail server was not reached, or refused Cuebird.
   */
  obstacle: z
    .enum(['suppressed', 'creator_may_not', 'reminder_deleted', 'no_mail_server', 'declined', 'unreachable'])
    .nullable(),
  /** Where the mail server did not take the report that is due: when, what it said of it, and when it is tried again. */
  refusal: z.object({ at: InstantText, words: z.string().nullable(), again_at: InstantText }).nullable(),
  created_by: z.string(),
  created_at: InstantText,
});
export type MonthlyReport = z.output<typeof MonthlyReport>;

export const monthlyReportRoutes = {
  listMonthlyReports: get('/api/monthly-reports', {
    access: 'admin',
    callers: 'people',
    summary: 'Who gets monthly reports of the workspace, oldest first',
    answer: z.object({ data: z.array(MonthlyReport) }),
  }),
  createMonthlyReport: post('/api/monthly-reports', {
    access: 'admin',
    callers: 'people',
    summary: 'Mail a report of the last month to an address, at the beginning of each month',
    limit: { usage: 'report_mails' },
    body: MonthlyReportInput,
    answer: MonthlyReport,
    status: 201,
  }),
  updateMonthlyReport: patch('/api/monthly-reports/:id', {
    access: 'admin',
    callers: 'people',
    summary: 'Change the address of a monthly report',
    body: z.strictObject({ address: EmailInput }),
    answer: MonthlyReport,
  }),
  deleteMonthlyReport: del('/api/monthly-reports/:id', {
    access: 'admin',
    callers: 'people',
    summary: 'End a monthly report',
    answer: Empty,
  }),
};
