import type { AgendaEntry } from '#contract/agenda-entry.ts';
import { type RawBuilder, sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import type { JobType } from '#contract/job-types.ts';
import type { ReminderContent, ReminderMetadata } from '#contract/reminders.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import type { z } from 'zod';
import { isCountedJob } from '#platform/counted-jobs.ts';
import type { Db } from '#platform/database.ts';
import { jobPayload } from '#platform/job-payload.ts';

type Scope = { workspaceId: string };

export type AgendaFilter = {
  reminder?: string | undefined;
  group?: string | undefined;
  tag?: string | undefined;
  channel?: ChannelType | undefined;
  /** What the reminders of this member send. */
  createdBy?: string | undefined;
  /** Leaves out what reminders of calendars send. */
  withoutCalendars?: boolean | undefined;
  /** The reminders and jobs that go to a person; null where everybody's are asked for. */
  ofPerson: { reminders: readonly string[]; jobs: readonly string[] } | null;
};

/** The reminders that a filter without its person admits. */
const admitted = ({
  reminder,
  group,
  tag,
  channel,
  createdBy,
  withoutCalendars,
}: Omit<AgendaFilter, 'ofPerson'>) => sql<boolean>`
  (${reminder ?? null}::uuid is null or r.id = ${reminder ?? null}::uuid)
  and (${group ?? null}::text is null or (r.metadata -> 'audience' -> 'groups')::jsonb ? ${group ?? null}::text)
  and (${tag ?? null}::text is null or exists (
    select from jsonb_array_elements_text(coalesce((r.metadata -> 'audience' -> 'tags')::jsonb, '[]')) as named (tag)
     where match_key(named.tag) = match_key(${tag ?? null}::text)))
  and (${channel ?? null}::text is null or (r.metadata -> 'channels')::jsonb ? ${channel ?? null}::text)
  and (${createdBy ?? null}::uuid is null or r.created_by = ${createdBy ?? null}::uuid)
  and (${withoutCalendars !== true} or r.schedule_config ->> 'eventTrigger' is distinct from 'calendar_event')`;

export type ScheduledReminder = {
  id: string;
  name: string;
  schedule_config: ScheduleConfig;
  paused_until: string | null;
  channels: ChannelType[];
};

/** Scheduled reminders that are active, or paused until a date. */
export async function findScheduled(
  db: Db,
  { workspaceId, limit, ofPerson, ...filter }: Scope & AgendaFilter & { limit: number },
): Promise<ScheduledReminder[]> {
  const { rows } = await sql<ScheduledReminder>`
    select r.id, r.name, r.schedule_config, r.paused_until, r.metadata -> 'channels' as channels
      from reminders r
     where r.workspace_id = ${workspaceId} and r.schedule_config ->> 'type' = 'scheduled'
       and (r.status = 'active' or r.status = 'paused' and r.paused_until is not null)
       and ${admitted(filter)} and (${ofPerson === null} or r.id = any (${ofPerson?.reminders ?? []}::uuid[]))
     order by r.id limit ${limit}`.execute(db);
  return rows;
}

/** How many active reminders wait for an event. */
export async function countEventReminders(
  db: Db,
  { workspaceId, ofPerson, ...filter }: Scope & AgendaFilter,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from reminders r
     where r.workspace_id = ${workspaceId} and r.schedule_config ->> 'type' = 'event-based' and r.status = 'active'
       and r.schedule_config ->> 'eventTrigger' is distinct from 'calendar_event'
       and ${admitted(filter)} and (${ofPerson === null} or r.id = any (${ofPerson?.reminders ?? []}::uuid[]))`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

type Window = { from: string; to: string };

/** The occurrences of scheduled reminders that have a job already, in whichever state it is; `is_begun` are those that `jobsAhead` finds. */
export const findOccurrenceJobs = (db: Db, { workspaceId, from, to }: Scope & Window) =>
  db
    .selectFrom('jobs as j')
    .where('workspace_id', '=', workspaceId)
    .where('type', '=', 'reminder')
    .where('scheduled_for', '>=', from)
    .where('scheduled_for', '<', to)
    .select(['id', 'reminder_id', 'scheduled_for', 'status', isBegun({ from }).as('is_begun')])
    .execute();

export type JobsAhead = Scope &
  Window & {
    filter: AgendaFilter;
    /** Until when all reminders are paused. */
    pausedUntil: string | null;
    /** The sending hours: the channels that keep them, and when they open and close in turn, beginning with an opening. */
    hours: { channels: readonly ChannelType[]; edges: readonly string[] } | null;
  };

/**
 * The ids of jobs that have not ended and may be sent before `to`: those that wait, are paused, or run. What waits is not sent before its `run_at`; a paused
 * one is shown at its time, whatever its `run_at` is.
 */
const openJobs = ({ workspaceId, to }: Scope & Pick<Window, 'to'>) => sql`
  (select job_id as id from queue where workspace_id = ${workspaceId} and run_at < ${to}
   union all select id from jobs where workspace_id = ${workspaceId} and paused_at is not null
   union all select running_jobs())`;

/** Whether a job runs, waits for its next attempt, or is due, or sent early, and has not begun. */
const isBegun = ({ from }: Pick<Window, 'from'>) => sql<boolean>`
  (j.status = 'running' or j.status = 'pending' and (j.scheduled_for < ${from} or j.run_at < j.scheduled_for or j.started_at is not null))`;

/**
 * The jobs that lie ahead beside what schedules plan, each with the time at which it is sent: those of events and of the API, and all that have begun, which
 * are tried again at `run_at`.
 */
function jobsAhead({ workspaceId, from, to, filter: { ofPerson, ...filter }, pausedUntil, hours }: JobsAhead) {
  const channels = sql`coalesce((r.metadata -> 'channels')::jsonb, (j.payload -> 'channels')::jsonb, '["email"]')`;
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== false);
  const isOfChannel = filter.channel === undefined ? sql`true` : sql`${channels} ? ${filter.channel}`;
  const isOfNoReminder = sql`${[filter.reminder, filter.group, filter.tag, filter.createdBy].every((id) => id === undefined)} and r.id is null and ${isOfChannel}`;
  const isToPerson = sql`(j.id = any (${ofPerson?.jobs ?? []}::uuid[]) or j.type = 'reminder' and j.reminder_id = any (${ofPerson?.reminders ?? []}::uuid[]))`;
  return sql`
    select j.id, j.name, j.type, j.reminder_id, j.scheduled_for as due_at, sent.at, ${channels} as channels,
           case when j.status = 'paused' and (r.id is null or r.status = 'active') then 'paused' when j.status = 'running' then 'running'
                when j.status = 'pending' and j.started_at is not null then 'waiting' else 'scheduled' end as state
      from (select j.*, case when ${isBegun({ from })} then j.run_at end as tried_at
              from ${openJobs({ workspaceId, to })} open join jobs j on j.id = open.id
             where j.workspace_id = ${workspaceId} and ${isCountedJob('j.type')}) j
      left join reminders r on r.workspace_id = j.workspace_id and r.id = j.reminder_id
     cross join lateral (select date_trunc('milliseconds', coalesce(j.tried_at, ${sentAt(channels, hours)})) as at, coalesce(j.tried_at, j.scheduled_for) as begins_at) sent
     where (j.tried_at is not null or j.type in ('event_reminder', 'api_notification') and j.scheduled_for >= ${from} and j.scheduled_for < ${to})
       and (j.status = 'running' or r.id is null or r.status = 'active' or r.status = 'paused' and r.paused_until <= begins_at)
       and (j.status = 'running' or j.type = 'api_notification' or ${pausedUntil}::timestamptz is null or begins_at >= ${pausedUntil}::timestamptz)
       and (${!isFiltered} or ${isOfNoReminder} or r.id is not null and ${admitted(filter)})
       and (${ofPerson === null} or ${isToPerson})`;
}

/** When a job is sent. Between an opening and its closing the number of edges before the time is odd. */
function sentAt(channels: RawBuilder<unknown>, hours: JobsAhead['hours']) {
  if (hours === null) return sql`j.scheduled_for`;
  const edges = sql`${hours.edges}::timestamptz[]`;
  return sql`case when ${channels} <@ ${JSON.stringify(hours.channels)}::jsonb and width_bucket(j.scheduled_for, ${edges}) % 2 = 0
                  then (${edges})[width_bucket(j.scheduled_for, ${edges}) + 1]
                  else j.scheduled_for end`;
}

/** The number of the day of a job. What was due before today, and has not ended, is of today. */
const dayOf = (begins: readonly string[]) => sql`greatest(width_bucket(ahead.at, ${begins}::timestamptz[]), 1)`;

/** How many of these jobs each day has. The instants are the beginnings of the days, numbered from 1, and the end of the last. */
export async function countJobsAhead(
  db: Db,
  { begins, ...of }: JobsAhead & { begins: readonly string[] },
): Promise<{ day: number; count: number }[]> {
  const { rows } = await sql<{ day: number; count: number }>`
    select ${dayOf(begins)} as day, count(*)::int as count
      from (${jobsAhead(of)}) ahead
     where ahead.at < ${begins.at(-1)}
     group by 1`.execute(db);
  return rows;
}

export type JobAhead = {
  id: string;
  name: string;
  type: JobType;
  reminder_id: string | null;
  due_at: string;
  at: string;
  state: AgendaEntry['state'];
  channels: ChannelType[];
};

/** The first jobs of each day, whose numbers are those of `countJobsAhead`. */
export async function firstJobsAhead(
  db: Db,
  { begins, each, ...of }: JobsAhead & { begins: readonly string[]; each: number },
): Promise<(JobAhead & { day: number })[]> {
  const { rows } = await sql<JobAhead & { day: number }>`
    select id, name, type, reminder_id, due_at, at, state, channels, day
      from (select ahead.*, row_number() over (partition by day order by at, id) as nth
              from (select ahead.*, ${dayOf(begins)} as day from (${jobsAhead(of)}) ahead) ahead) numbered
     where nth <= ${each} and at < ${begins.at(-1)}
     order by at, id`.execute(db);
  return rows;
}

/** The jobs that are sent in a part of the time, soonest first, after one of them. Without `from`, everything before its end. */
export async function listJobsAhead(
  db: Db,
  {
    sent,
    after,
    limit,
    ...of
  }: JobsAhead & { sent: { from: string | null; to: string }; after: { at: string; id: string } | null; limit: number },
): Promise<JobAhead[]> {
  const { rows } = await sql<JobAhead>`
    select id, name, type, reminder_id, due_at, at, state, channels
      from (${jobsAhead(of)}) ahead
     where (${sent.from}::timestamptz is null or at >= ${sent.from}) and at < ${sent.to}
       and (${after === null} or (at, id) > (${after?.at ?? sent.to}::timestamptz, ${after?.id ?? null}::uuid))
     order by at, id limit ${limit}`.execute(db);
  return rows;
}

/** Jobs with what says to whom they go, where a reminder does not. */
export const findPayloads = (db: Db, { workspaceId, ids }: Scope & { ids: readonly string[] }) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...ids])
    .select(['id', jobPayload('jobs')])
    .execute();

/** The jobs of events and of the API that lie ahead or have begun, with what says to whom they go; the soonest first. */
export const findPayloadsAhead = (db: Db, { workspaceId, to, limit }: Scope & Pick<Window, 'to'> & { limit: number }) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`id in (select id from ${openJobs({ workspaceId, to })} open)`)
    .where('scheduled_for', '<', to)
    .where('type', 'in', ['event_reminder', 'api_notification'])
    .select(['id', 'reminder_id', jobPayload('jobs')])
    .orderBy('scheduled_for')
    .orderBy('id')
    .limit(limit)
    .execute();

/** How many messages of each of these jobs wait for another attempt. */
export async function countWaiting(
  db: Db,
  { workspaceId, ids }: Scope & { ids: readonly string[] },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select j.id, count(*)::int as count
      from jobs j
      join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
     where j.workspace_id = ${workspaceId} and j.id = any (${[...ids]}::uuid[]) and d.workspace_id = ${workspaceId}
       and d.status in ('queued', 'waiting', 'sending')
     group by j.id`.execute(db);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

type Metadata = z.output<typeof ReminderMetadata>;

export type ShownReminder = {
  id: string;
  name: string;
  timezone: string | null;
  metadata: Metadata;
  recipients: number;
};

/** What an agenda says of reminders: everything but their texts and the lines of their recipients. */
export async function findShown(
  db: Db,
  { workspaceId, ids }: Scope & { ids: readonly string[] },
): Promise<ShownReminder[]> {
  const { rows } = await sql<ShownReminder>`
    select id, name, schedule_config ->> 'timezone' as timezone, metadata, json_array_length(content -> 'recipients') as recipients
      from reminders
     where workspace_id = ${workspaceId} and id = any (${[...ids]}::uuid[])`.execute(db);
  return rows;
}

export type Addressed = Pick<z.output<typeof ReminderContent>, 'recipients'> & { id: string; metadata: Metadata };

/** Reminders that may be sent, with their recipients, after one of them. */
export async function findAddressed(
  db: Db,
  { workspaceId, after, limit }: Scope & { after: string; limit: number },
): Promise<Addressed[]> {
  const { rows } = await sql<Addressed>`
    select id, metadata, content -> 'recipients' as recipients
      from reminders
     where workspace_id = ${workspaceId} and id > ${after}
       and (status = 'active' or status = 'paused' and paused_until is not null)
     order by id limit ${limit}`.execute(db);
  return rows;
}

/** What the filter names; null for what this workspace does not have. */
export async function findNames(
  db: Db,
  { workspaceId, reminder, group }: Scope & Pick<AgendaFilter, 'reminder' | 'group'>,
): Promise<{ reminder: string | null; group: string | null }> {
  const { rows } = await sql<{ reminder: string | null; group: string | null }>`
    select (select name from reminders where workspace_id = ${workspaceId} and id = ${reminder ?? null}::uuid and status <> 'deleted') as reminder,
           (select name from contact_groups where workspace_id = ${workspaceId} and id = ${group ?? null}::uuid) as "group"`.execute(
    db,
  );
  return rows[0] ?? { reminder: null, group: null };
}
