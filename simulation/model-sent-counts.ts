import { capDayAt } from '#domain/frequency-cap.ts';
import type { CappedMessage } from '#engine/store.ts';
import type { Tables } from '#simulation/tables.ts';

/** The model of `sent-counts.ts`. */
export function takeCapacity(
  { sentCounts }: Pick<Tables, 'sentCounts'>,
  { asked, now }: { asked: readonly CappedMessage[]; now: Temporal.Instant },
): Map<number, { isWeekFull: boolean }> {
  const full = new Map<number, { isWeekFull: boolean }>();
  for (const [at, { workspaceId, cap, channel, key }] of asked.entries()) {
    const { week, day } = capDayAt(cap, now);
    const of = [workspaceId, channel, key, week].join(' ');
    const days = sentCounts.get(of) ?? [0, 0, 0, 0, 0, 0, 0];
    const today = days[day - 1] ?? 0;
    const ofWeek = days.reduce((sum, count) => sum + count, 0);
    const isWeekFull = cap.perWeek !== null && ofWeek >= cap.perWeek;
    if (isWeekFull || (cap.perDay !== null && today >= cap.perDay)) full.set(at, { isWeekFull });
    else sentCounts.set(of, days.with(day - 1, today + 1));
  }
  return full;
}
