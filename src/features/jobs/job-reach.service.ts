import type { Reach, ReachQuery } from '#contract/reach.ts';
import { textsOf } from '#features/jobs/job-text.ts';
import { getJobWithRevision } from '#features/jobs/jobs.service.ts';
import { reachOf, type ReachPorts } from '#features/reach/reach.service.ts';
import type { TenantContext } from '#platform/context.ts';
import type { AfterCommit } from '#platform/handler.ts';

/** Whom a job would reach if it began now; nobody when its reminder is deleted. */
export async function reachOfJob(
  ctx: TenantContext,
  { id, query }: { id: string; query: ReachQuery },
  ports: ReachPorts,
): Promise<Reach | AfterCommit<Reach>> {
  const job = await getJobWithRevision(ctx, id);
  const found = await textsOf(ctx, job);
  if ('reason' in found) return { ...nobodyReached, refusal: found.reason };
  const {
    texts: [text],
    addressed,
  } = found;
  const at = Temporal.Instant.from(job.scheduled_for);
  const run = found.isReminder ? { jobId: id, due: at, timezone: text.timezone } : null;
  return reachOf(ctx, { addressed, text, data: text.data, at, run }, { ports, query });
}

const nobodyReached = {
  total: 0,
  messages: 0,
  counts: [{ kind: 'reached' as const, of: null, people: 0 }],
  sequences: [],
  unchecked: 0,
  left_but_required: 0,
  is_event_awaited: false,
  data: [],
  next_cursor: null,
};
