import type { MisfirePolicy } from '#contract/misfire.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import { dayMs } from '#domain/instants.ts';
import { actsIn, type Evidence, eventsOf, remindersOfJobs, type Version, versionsIn } from '#simulation/evidence.ts';
import type { JobView } from '#simulation/people.ts';
import { isMissed, ruleOf } from '#simulation/check-misfires.ts';
import { firstFrom, occurrencesBetween } from '#simulation/occurrences.ts';
import { isoOf } from '#simulation/tables.ts';

/** At this time, a claim or the scheduler moved from one occurrence of a reminder to the next. */
type Step = { reminderId: string; fromMs: number; atMs: number; kind: 'claim' | 'schedule' };

/**
 * Every due time of an active reminder has exactly one job, or was skipped for a reason: missed by the reminder's own
 * policy, or removed by an edit, a pause or a cancel before it was due. And there is always a next occurrence.
 */
export function checkOccurrences(evidence: Evidence): string[] {
  const versions = versionsIn(evidence.events);
  const jobs = jobsByTime(evidence);
  const steps = stepsIn(evidence);
  return [
    ...versions.flatMap((version) => missingFaults(version, { evidence, jobs, steps })),
    ...versions
      .filter(({ end, isActive }) => end === null && isActive)
      .flatMap((version) => nextFaults(version, { evidence, jobs })),
    ...inventedFaults(evidence, versions),
  ];
}

const keyOf = (reminderId: string, atMs: number) => `${reminderId} ${atMs}`;

function jobsByTime(evidence: Evidence): ReadonlySet<string> {
  const reminders = remindersOfJobs(evidence);
  return new Set(
    evidence.rows.jobs
      .filter(({ type }) => type === 'reminder')
      .map((job) => keyOf(reminders.get(job.id) ?? '', Date.parse(job.scheduled_for))),
  );
}

function stepsIn({ events }: Evidence): Step[] {
  const claimed = eventsOf(events, 'claim').flatMap(({ claim, request }) =>
    claim.started.flatMap(({ run: { job } }): Step[] =>
      job.type === 'reminder' && job.reminder_id !== null && job.attempts === 1 && job.expires_at === null
        ? [
            {
              reminderId: job.reminder_id,
              fromMs: Date.parse(job.scheduled_for),
              atMs: request.now.epochMilliseconds,
              kind: 'claim',
            },
          ]
        : [],
    ),
  );
  const scheduled = eventsOf(events, 'schedule').flatMap(({ nextOccurrences, now }) =>
    nextOccurrences.map(({ reminderId }): Step => ({ reminderId, fromMs: 0, atMs: now.atMs, kind: 'schedule' })),
  );
  const cancelled = actsIn(events).flatMap(({ act, done, since }): Step[] => {
    if (act.kind !== 'job' || act.action !== 'cancel') return [];
    const job = done.before.find(({ id }) => id === act.jobId);
    if (job?.type !== 'reminder' || job.reminder_id === null) return [];
    const fromMs = Date.parse(job.scheduled_for);
    return [{ reminderId: job.reminder_id, fromMs, atMs: Math.max(fromMs, since.atMs), kind: 'schedule' }];
  });
  // A restored reminder continues with the job that was pending, even if the clock was set back since that was scheduled.
  const restored = actsIn(events).flatMap(({ act, done }): Step[] => {
    if (act.kind !== 'restore') return [];
    const before = new Set(done.before.map(({ id }) => id));
    const back = done.after.filter((job) => !before.has(job.id) && job.reminder_id === act.reminderId);
    if (back.length === 0) return [];
    const atMs = Math.min(...back.map((job) => Date.parse(job.scheduled_for)));
    return [{ reminderId: act.reminderId, fromMs: 0, atMs, kind: 'schedule' }];
  });
  return [...claimed, ...scheduled, ...cancelled, ...restored];
}

function missingFaults(
  { reminderId, workspaceId, input, isActive, from, end }: Version,
  { evidence, jobs, steps }: { evidence: Evidence; jobs: ReadonlySet<string>; steps: readonly Step[] },
): string[] {
  if (!isActive) return [];
  const schedule = input.schedule_config;
  const misfire = ruleOf(input.metadata, { scenario: evidence.scenario, workspaceId });
  // A one-time reminder that was saved up to a day late is still due.
  const fromMs = schedule.scheduleType === 'once' ? from.atMs - dayMs + 1 : from.atMs;
  const toMs = Math.min((end?.since.atMs ?? evidence.endMs + 1) - 1, evidence.endMs);
  const headMs = headOf(end === null ? evidence.rows.jobs : end.done.before, {
    reminderId,
    isSetBack: evidence.scenario.gaps.some(({ kind }) => kind === 'setback'),
  });
  const own = steps.filter((step) => step.reminderId === reminderId);
  return occurrencesBetween(schedule, { fromMs, toMs })
    .filter((atMs) => !jobs.has(keyOf(reminderId, atMs)) && atMs < headMs)
    .filter((atMs) => !own.some((step) => passedOver(step, { atMs, schedule, misfire })))
    .map((atMs) => `${reminderId} was due at ${timeOf(atMs)}, and there is no job`);
}

/**
 * The time of the first job that has not begun. All later occurrences depend on it: a change to it changes the rest.
 */
function headOf(
  jobs: readonly JobView[],
  { reminderId, isSetBack }: { reminderId: string; isSetBack: boolean },
): number {
  const unbegun = jobs.filter(
    (job) => job.reminder_id === reminderId && job.type === 'reminder' && job.attempts === 0 && job.expires_at === null,
  );
  const pending = unbegun.filter(({ status }) => status === 'pending');
  const paused = unbegun.filter(({ status }) => status === 'paused');
  // When a time comes a second time there may be a next occurrence already: a paused one has no next occurrence until
  // its time.
  const heads = pending.length > 0 && !isSetBack ? pending : [...pending, ...paused];
  const times = heads.map((job) => Date.parse(job.scheduled_for));
  return Math.min(Infinity, ...times);
}

/** Whether this step skipped the time in between for a valid reason. */
function passedOver(
  { fromMs, atMs: nowMs, kind }: Step,
  { atMs, schedule, misfire }: { atMs: number; schedule: ScheduleConfig; misfire: MisfirePolicy },
): boolean {
  if (fromMs >= atMs || atMs > nowMs) return false;
  // Scheduled by the scheduler or after a cancel: the next time from then on.
  if (kind === 'schedule') return true;
  return isMissed({ schedule_config: schedule, misfire }, { atMs, nowMs });
}

/** The scheduler schedules the next occurrence of a paused one when its time has passed, once per sweep. */
const sweepMs = 60_000;

/** An active reminder that is due again has a job for that time, which has not begun. */
function nextFaults(
  { reminderId, input }: Version,
  { evidence: { rows, endMs }, jobs }: { evidence: Evidence; jobs: ReadonlySet<string> },
): string[] {
  let next = firstFrom(input.schedule_config, endMs + 1);
  // A time that was cancelled early is not scheduled again.
  while (next !== null && jobs.has(keyOf(reminderId, next))) next = firstFrom(input.schedule_config, next + 1);
  if (next === null) return [];
  const waits = rows.jobs.some(
    (job) =>
      job.reminder_id === reminderId &&
      job.type === 'reminder' &&
      job.attempts === 0 &&
      job.expires_at === null &&
      (job.status === 'pending' || (job.status === 'paused' && Date.parse(job.scheduled_for) > endMs - sweepMs)),
  );
  return waits ? [] : [`${reminderId} is due again at ${timeOf(next)}, and has no pending job`];
}

/** No job has a time that its reminder never had. */
function inventedFaults(evidence: Evidence, versions: readonly Version[]): string[] {
  const reminders = remindersOfJobs(evidence);
  return evidence.rows.jobs.flatMap((job) => {
    if (job.type !== 'reminder') return [];
    const atMs = Date.parse(job.scheduled_for);
    const own = versions.filter(({ reminderId }) => reminderId === reminders.get(job.id));
    return own.some(({ input }) => firstFrom(input.schedule_config, atMs) === atMs)
      ? []
      : [`${job.id} has the time ${job.scheduled_for}, which its reminder never had`];
  });
}

const timeOf = (ms: number) => isoOf(Temporal.Instant.fromEpochMilliseconds(ms));
