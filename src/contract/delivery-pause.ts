import { z } from 'zod';
import { Id, InstantText } from '#contract/common.ts';
import { get, post } from '#contract/route.ts';

/** Why delivery is paused until an administrator resumes it. */
export const DeliveryPauseNotice = z.object({
  since: InstantText,
  /**
   * `restored`: the database was restored from a backup. `moved`: the database is on another server than at its last delivery, so it may be
   * a copy. `asked`: an administrator paused delivery.
   * `promoted`: the database's server was promoted from a standby or recovered to an earlier time, so it may have lost what was sent last.
   */
  reason: z.enum(['restored', 'moved', 'promoted', 'asked']),
  /** When the backup was made. */
  backup_of: InstantText.nullable(),
});
export type DeliveryPauseNotice = z.output<typeof DeliveryPauseNotice>;

const PausedWorkspace = z.object({
  workspace_id: Id,
  name: z.string(),
  /** Occurrences that are sent as soon as delivery resumes. */
  due: z.number().int(),
  /** Occurrences scheduled for later. */
  later: z.number().int(),
});

const PausedJob = z.object({
  workspace_id: Id,
  workspace: z.string(),
  name: z.string(),
  scheduled_for: InstantText,
  /** The maximum number of recipients. */
  recipients: z.number().int(),
  /** Why the job would not be sent after the pause; null when it would be sent. */
  refusal: z.string().nullable(),
});

export const PausedDeliveries = DeliveryPauseNotice.extend({
  state: z.literal('paused'),
  due: z.number().int(),
  later: z.number().int(),
  /** At most 200 workspaces, those with the most due occurrences first. */
  workspaces: z.array(PausedWorkspace),
  /** At most 20 jobs, in the order in which they are sent. */
  first: z.array(PausedJob),
});
export type PausedDeliveries = z.output<typeof PausedDeliveries>;

/** Overdue occurrences either follow each reminder's misfire policy, or are all recorded as missed. */
export const ResumeInput = z.strictObject({
  overdue: z.enum(['by_rule', 'missed'], 'must be by_rule or missed'),
});
export type Resume = z.output<typeof ResumeInput>;

const Delivering = z.object({ state: z.literal('delivering') });

/**
 * What a fail-over of the database does. `pauses`: deliveries wait until an administrator resumes them. `continues`: they go on, because each commit is on
 * a standby. `not_synchronous`: they wait although DATABASE_STANDBY is synchronous, because the server waits for no standby. `unrecognized`: the login of
 * the database may not read what tells a promoted standby, so that they go on and what it has lost may be sent twice.
 */
export const AfterFailOver = z.enum(['pauses', 'continues', 'not_synchronous', 'unrecognized']);
export type AfterFailOver = z.output<typeof AfterFailOver>;

const Watched = { after_fail_over: AfterFailOver };

export const deliveryPauseRoutes = {
  getDeliveryPause: get('/api/admin/delivery-pause', {
    access: 'system_admin',
    summary: 'Whether deliveries are paused, and what would be sent once they are resumed',
    answer: z.discriminatedUnion('state', [Delivering.extend(Watched), PausedDeliveries.extend(Watched)]),
  }),
  resumeDeliveries: post('/api/admin/delivery-pause', {
    access: 'system_admin',
    summary: 'Resume deliveries',
    body: ResumeInput,
    answer: Delivering.extend({
      /** The number of occurrences recorded as missed. */
      missed: z.number().int(),
    }),
  }),
};
