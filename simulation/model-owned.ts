import { reasonOfSkip } from '#domain/may-be-sent.ts';
import { recipientKey } from '#domain/recipients.ts';
import { isFinal } from '#engine/run/live-delivery.ts';
import type { OwnedJob } from '#engine/run/claimed-job.ts';
import type { BareReminder, EngineStore, WaitingDelivery } from '#engine/store.ts';
import { asEnded, isOpen, lineIn, skipLines } from '#simulation/lines.ts';
import { channelsOf, forbiddenAmong, isDeleted, needsConsent } from '#simulation/model-claim.ts';
import { isoOf, type Tables } from '#simulation/tables.ts';

export function beginAttempts(
  tables: Tables,
  job: OwnedJob,
  { chosen, about: { topicId, occasion }, now }: Parameters<EngineStore['beginAttempts']>[1],
): Awaited<ReturnType<EngineStore['beginAttempts']>> {
  const of = { id: job.id, scheduled_for: isoOf(job.scheduledFor) };
  const lines = chosen.flatMap((one) => {
    const row = lineIn(tables, { job: of, ...one });
    return row === undefined ? [] : [{ one, row }];
  });
  const forbidden = forbiddenAmong(tables, {
    asked: lines.map(({ one: { channel, recipient } }) => ({
      workspaceId: job.workspaceId,
      channel,
      key: recipientKey(recipient),
      topicId,
      occasion,
      needsConsent: needsConsent(tables, { workspaceId: job.workspaceId, channel }),
    })),
    now,
  });
  for (const [at, { code }] of forbidden) {
    const line = lines[at];
    if (line !== undefined) skipLines([line.row], { ...reasonOfSkip(code, line.row.channel), now });
  }
  const begun = isOwned(tables, job)
    ? lines.filter(
        ({ one, row }, at) =>
          (isOpen(row) && row.attempts === one.attempts) ||
          (row.status === 'sending' && row.attempts === one.attempts + 1 && !forbidden.has(at)),
      )
    : [];
  for (const { one, row } of begun) {
    Object.assign(row, { status: 'sending', attempts: one.attempts + 1, last_attempt_at: isoOf(now) });
    row.first_attempt_at ??= isoOf(now);
    Object.assign(row, { next_attempt_at: null, has_failed_late: false });
  }
  return {
    begun: begun.map(({ row: { channel, recipient, attempts } }) => ({ channel, recipient, attempts })),
    ended:
      begun.length === chosen.length
        ? []
        : lines.filter(({ row }) => isFinal(row.status)).map(({ row }) => asEnded(row)),
    channels: channelsOf(tables, [job.workspaceId]),
  };
}

export function stillOwned(
  tables: Tables,
  claimId: string,
  { waiting, now }: { waiting: readonly WaitingDelivery[]; now: Temporal.Instant },
): Awaited<ReturnType<EngineStore['stillOwned']>> {
  return {
    owned: new Set(waiting.map((one) => one.jobId).filter((id) => isOwned(tables, { id, claimId }))),
    suppressed: forbiddenAmong(tables, {
      asked: waiting.map((one) => ({ ...one, needsConsent: needsConsent(tables, one) })),
      now,
    }),
    channels: channelsOf(tables, [...new Set(waiting.map((one) => one.workspaceId))]),
  };
}

function isOwned(tables: Tables, { id, claimId }: { id: string; claimId: string }): boolean {
  const job = tables.jobs.get(id);
  return job?.claim_id === claimId && job.status === 'running' && job.stop_reason === null && !isDeleted(tables, job);
}

export function nextDue(tables: Tables, except: readonly string[]): Temporal.Instant | null {
  const times = [...tables.queue.values()]
    .filter((row) => !row.awaits_audience && !except.includes(row.workspace_id) && !isDeleted(tables, row))
    .map((row) => row.run_at);
  const [first] = times.sort();
  return first === undefined ? null : Temporal.Instant.from(first);
}

export function awaitingAudience(
  tables: Tables,
  { now, except, after }: Parameters<EngineStore['awaitingAudience']>[0],
): string | null {
  const ids = [...tables.queue.values()]
    .filter((row) => row.awaits_audience && row.run_at <= isoOf(now))
    .filter((row) => !except.includes(row.workspace_id) && !isDeleted(tables, row))
    .map((row) => row.workspace_id)
    .sort();
  return ids.find((id) => id > after) ?? ids[0] ?? null;
}

export function withoutNext(tables: Tables, { after, now, only }: Parameters<EngineStore['withoutNext']>[0]) {
  const at = isoOf(now);
  const jobsOf = Map.groupBy(
    tables.jobs.values().filter((job) => job.type === 'reminder'),
    (job) => job.reminder_id,
  );
  const reminders: BareReminder[] = [...tables.reminders.values()]
    .filter(({ id, status, schedule_config: schedule }) => {
      const jobs = jobsOf.get(id) ?? [];
      const hasNext = jobs.some(
        (job) =>
          ['pending', 'running'].includes(job.status) ||
          (job.status === 'paused' && job.attempts === 0 && job.scheduled_for > at),
      );
      const isAsked =
        only === 'every'
          ? schedule.type === 'scheduled'
          : jobs.some((job) => job.paused_at !== null && job.scheduled_for <= at);
      return status === 'active' && id > after && !hasNext && isAsked;
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, workspace_id, name, revision, schedule_config, metadata }) => ({
      id,
      workspace_id,
      name,
      revision,
      schedule_config,
      metadata,
    }));
  // The model has few enough for one call.
  return { reminders, last: null };
}
