import { isAudience } from '#contract/audience.ts';
import type { Reach, ReachBody, ReachQuery } from '#contract/reach.ts';
import type { RunAhead } from '#features/exclusions/exclusions.service.ts';
import { reachOf, type ReachPorts } from '#features/reach/reach.service.ts';
import { nextJobOf } from '#features/reminders/occurrence.service.ts';
import { getReminder } from '#features/reminders/reminders.service.ts';
import type { TenantContext } from '#platform/context.ts';
import type { AfterCommit } from '#platform/handler.ts';

/** Whom an unsaved reminder would reach. */
export function reachOfDraft(
  ctx: TenantContext,
  { draft, query, next = null }: { draft: ReachBody; query: ReachQuery; next?: Omit<RunAhead, 'timezone'> | null },
  ports: ReachPorts,
): Promise<AfterCommit<Reach>> {
  const { recipients, subject, message, values = {}, topic_id: topicId = null } = draft.content;
  const { channels, audience, channel_mode: mode, pinned_channels: pinned, one_off: isOneOff } = draft.metadata;
  const { timezone } = draft;
  const asked = {
    addressed: {
      recipients,
      audience: isAudience(audience) ? audience : null,
      channels,
      isInOrder: mode === 'in_order',
      pinned,
      topicId,
      occasion: 'reminder' as const,
    },
    text: { subject, message, values, timezone },
    data: draft.is_event ? null : {},
    isEventAwaited: draft.is_event && draft.metadata.event_recipients === true,
    at: ctx.now,
    run: isOneOff === true ? null : { ...(next ?? { jobId: null, due: ctx.now }), timezone },
  };
  return reachOf(ctx, asked, { ports, query });
}

/** Whom a reminder would reach if it were sent now; without those who are skipped in its next run, or paused when it comes. Throws NotFound. */
export async function reachOfReminder(
  ctx: TenantContext,
  { id, query }: { id: string; query: ReachQuery },
  ports: ReachPorts,
): Promise<AfterCommit<Reach>> {
  const { content, metadata, schedule_config: schedule, next_run_at: nextRunAt } = await getReminder(ctx, id);
  const { timezone, type } = schedule;
  const draft = { content, metadata, timezone, is_event: type === 'event-based' };
  const next = nextRunAt === null ? null : { jobId: await nextJobOf(ctx, id), due: Temporal.Instant.from(nextRunAt) };
  return reachOfDraft(ctx, { draft, query, next }, ports);
}
