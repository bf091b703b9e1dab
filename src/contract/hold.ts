import { z } from 'zod';
import { Id, InstantText } from '#contract/common.ts';
import { route } from '#contract/route.ts';

/** Why nothing goes out until somebody says so. */
export const HoldNotice = z.object({
  since: InstantText,
  /**
   * `restored`: from a backup. `moved`: the database stands elsewhere than where it last delivered, perhaps as a copy.
   * `asked`: an administrator wished it.
   */
  reason: z.enum(['restored', 'moved', 'asked']),
  /** When the backup was made. */
  backup_of: InstantText.nullable(),
});
export type HoldNotice = z.output<typeof HoldNotice>;

const HeldWorkspace = z.object({
  workspace_id: Id,
  name: z.string(),
  /** Occurrences that would come up at once. */
  due: z.number().int(),
  /** Planned for later. */
  later: z.number().int(),
});

const HeldJob = z.object({
  workspace_id: Id,
  workspace: z.string(),
  name: z.string(),
  scheduled_for: InstantText,
  /** Whom it would reach, at most. */
  recipients: z.number().int(),
  /** Why it would not be sent all the same; null when it would. */
  refusal: z.string().nullable(),
});

export const Held = HoldNotice.extend({
  state: z.literal('held'),
  due: z.number().int(),
  later: z.number().int(),
  /** Those with the most that is due first, 200 at most. */
  workspaces: z.array(HeldWorkspace),
  /** What would come up first, 20 at most. */
  first: z.array(HeldJob),
});
export type Held = z.output<typeof Held>;

/** What becomes of the occurrences whose time passed: sent or missed by each reminder's own rule, or missed, all of them. */
export const ReleaseInput = z.strictObject({
  overdue: z.enum(['by_rule', 'missed'], 'must be by_rule or missed'),
});
export type Release = z.output<typeof ReleaseInput>;

const Delivering = z.object({ state: z.literal('delivering') });

export const holdRoutes = {
  getHold: route({
    method: 'get',
    path: '/api/admin/hold',
    access: 'system_admin',
    summary: 'Whether deliveries are held, and what would go out once they are released',
    answer: z.discriminatedUnion('state', [Delivering, Held]),
  }),
  releaseHold: route({
    method: 'post',
    path: '/api/admin/hold',
    access: 'system_admin',
    summary: 'Let deliveries go out again',
    body: ReleaseInput,
    answer: Delivering.extend({
      /** Occurrences that were recorded as missed. */
      missed: z.number().int(),
    }),
  }),
};
