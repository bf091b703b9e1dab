import {
  actsIn,
  type Evidence,
  eventsOf,
  remindersOfJobs,
  type Version,
  versionsIn,
} from '#testing/simulation/evidence.ts';
import type { JobView } from '#testing/simulation/people.ts';
import { isMissed } from '#testing/simulation/check-misfires.ts';
import { firstFrom, occurrencesBetween } from '#testing/simulation/occurrences.ts';
import { isoOf } from '#testing/simulation/tables.ts';

/** Somebody went on from one occurrence of a reminder to what came after it, at this time. */
type Step = { reminderId: string; fromMs: number; atMs: number; kind: 'claim' | 'plan' };

/**
 * Every time at which an active reminder was due has exactly one job, or was passed over for a reason: missed, by the
 * reminder's own policy, or gone with an edit, a pause or a cancel before its turn. And there is always a next one.
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
  const planned = eventsOf(events, 'plan').flatMap(({ successors, now }) =>
    successors.map(({ reminderId }): Step => ({ reminderId, fromMs: 0, atMs: now.atMs, kind: 'plan' })),
  );
  const cancelled = actsIn(events).flatMap(({ act, done, since }): Step[] => {
    if (act.kind !== 'job' || act.action !== 'cancel') return [];
    const job = done.before.find(({ id }) => id === act.jobId);
    if (job?.type !== 'reminder' || job.reminder_id === null) return [];
    const fromMs = Date.parse(job.scheduled_for);
    return [{ reminderId: job.reminder_id, fromMs, atMs: Math.max(fromMs, since.atMs), kind: 'plan' }];
  });
  // What comes back goes on with the job that had been waiting, also where the clock was set back since that was planned.
  const restored = actsIn(events).flatMap(({ act, done }): Step[] => {
    if (act.kind !== 'restore') return [];
    const before = new Set(done.before.map(({ id }) => id));
    const back = done.after.filter((job) => !before.has(job.id) && job.reminder_id === act.reminderId);
    if (back.length === 0) return [];
    const atMs = Math.min(...back.map((job) => Date.parse(job.scheduled_for)));
    return [{ reminderId: act.reminderId, fromMs: 0, atMs, kind: 'plan' }];
  });
  return [...claimed, ...planned, ...cancelled, ...restored];
}

const dayMs = 86_400_000;

function missingFaults(
  { reminderId, input, isActive, from, end }: Version,
  { evidence, jobs, steps }: { evidence: Evidence; jobs: ReadonlySet<string>; steps: readonly Step[] },
): string[] {
  if (!isActive) return [];
  const schedule = input.schedule_config;
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
    .filter((atMs) => !own.some((step) => passedOver(step, { atMs, version: { input } })))
    .map((atMs) => `${reminderId} was due at ${timeOf(atMs)}, and there is no job`);
}

/** From here on everything still hung on the one job that had not begun: what changed that one changed the rest. */
function headOf(
  jobs: readonly JobView[],
  { reminderId, isSetBack }: { reminderId: string; isSetBack: boolean },
): number {
  const unbegun = jobs.filter(
    (job) => job.reminder_id === reminderId && job.type === 'reminder' && job.attempts === 0 && job.expires_at === null,
  );
  const pending = unbegun.filter(({ status }) => status === 'pending');
  const paused = unbegun.filter(({ status }) => status === 'paused');
  // Behind a time that comes a second time there may be a next one already: what is paused is not followed until then.
  const heads = pending.length > 0 && !isSetBack ? pending : [...pending, ...paused];
  const times = heads.map((job) => Date.parse(job.scheduled_for));
  return Math.min(Infinity, ...times);
}

/** Whether this step left out the time in between by right. */
function passedOver(
  { fromMs, atMs: nowMs, kind }: Step,
  { atMs, version: { input } }: { atMs: number; version: Pick<Version, 'input'> },
): boolean {
  if (fromMs >= atMs || atMs > nowMs) return false;
  // Planned by the planner or after a cancel: the next one from then on.
  if (kind === 'plan') return true;
  return isMissed(input, { atMs, nowMs });
}

/** The planner makes the next occurrence of a paused one when its time has passed, and looks every so often. */
const sweepMs = 60_000;

/** An active reminder that is due again has that time as a job, which has not begun. */
function nextFaults(
  { reminderId, input }: Version,
  { evidence: { rows, endMs }, jobs }: { evidence: Evidence; jobs: ReadonlySet<string> },
): string[] {
  let next = firstFrom(input.schedule_config, endMs + 1);
  // What was cancelled before its time is not planned again.
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
  return waits ? [] : [`${reminderId} is due again at ${timeOf(next)}, and has no job that waits`];
}

/** No job stands for a time that its reminder never had. */
function inventedFaults(evidence: Evidence, versions: readonly Version[]): string[] {
  const reminders = remindersOfJobs(evidence);
  return evidence.rows.jobs.flatMap((job) => {
    if (job.type !== 'reminder') return [];
    const atMs = Date.parse(job.scheduled_for);
    const own = versions.filter(({ reminderId }) => reminderId === reminders.get(job.id));
    return own.some(({ input }) => firstFrom(input.schedule_config, atMs) === atMs)
      ? []
      : [`${job.id} stands for ${job.scheduled_for}, which is no time of its reminder`];
  });
}

const timeOf = (ms: number) => isoOf(Temporal.Instant.fromEpochMilliseconds(ms));
