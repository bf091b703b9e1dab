import { z } from 'zod';
import { Alert } from '#contract/alerts.ts';
import { Id, InstantText } from '#contract/common.ts';
import { get } from '#contract/route.ts';

/** In seconds; null where nothing was measured. */
const Percentiles = z
  .object({ count: z.number().int(), median: z.number(), p95: z.number(), p99: z.number() })
  .nullable();
export type Percentiles = z.output<typeof Percentiles>;

const Recent = z.object({ quarter_hour: Percentiles, hour: Percentiles });

export const processRoles = ['web', 'worker', 'all'] as const;
/** `gone`: it ended without reporting that it stops, or cannot reach the database. */
export const processStates = ['running', 'stopped', 'gone'] as const;

export const SystemState = z.object({
  /** How long requests of the API took, from their beginning to their answer. */
  responses: Recent,
  /** How late messages were sent, from when each was due to its first attempt. */
  lateness: Recent,
  /** The last sixty minutes, the earliest first; minutes without deliveries included. */
  minutes: z.array(z.object({ minute: InstantText, sent: z.number().int(), failed: z.number().int() })),
  /** Jobs that are due and wait for a worker, since when the first of them waits, and jobs that run. */
  queue: z.object({ due: z.number().int(), oldest_due: InstantText.nullable(), running: z.number().int() }),
  database: z.object({
    size_bytes: z.number(),
    connections: z.number().int(),
    max_connections: z.number().int(),
  }),
  /** The disk of DATA_DIR of the process that answers; null where it cannot be read. */
  disk: z.object({ free_bytes: z.number(), size_bytes: z.number() }).nullable(),
  processors: z.number().int(),
  /** Processes that run, then those that ended within the last hour; at most 200. */
  processes: z.array(
    z.object({
      id: Id,
      role: z.enum(processRoles),
      version: z.string(),
      host: z.string(),
      pid: z.number().int(),
      state: z.enum(processStates),
      started_at: InstantText,
      seen_at: InstantText,
      /** How many processors it used on average, in the 15 seconds before `seen_at`. */
      cpu: z.number(),
      memory_bytes: z.number(),
      event_loop_delay_ms: z.number(),
      /** A hash of EGRESS_ALLOW and SANDBOX, equal where these are; null of earlier versions. */
      outbound: z.string().nullable(),
    }),
  ),
  /** Whether processes that run have different settings of EGRESS_ALLOW or SANDBOX. */
  do_outbound_rules_differ: z.boolean(),
  /** Alerts of the last seven days, the latest first, without those that were dismissed. */
  alerts: z.array(Alert),
});
export type SystemState = z.output<typeof SystemState>;

export const adminSystemRoutes = {
  getSystemState: get('/api/admin/system', {
    access: 'system_admin',
    summary: 'How the installation runs: response times, lateness, queue, database, disk, processes and alerts',
    answerWithinMs: 5_000,
    answer: SystemState,
  }),
};
