import type { Audience } from '#contract/audience.ts';
import type { ReminderStatus } from '#contract/reminders.ts';
import {
  allWerePaused,
  reminderWasDeleted,
  reminderWasEdited,
  reminderWasPaused,
  workspaceWasDeleted,
} from '#domain/ledger-reasons.ts';
import { keyInWorkspace } from '#engine/run/contacts.ts';
import { maxAttemptsOf } from '#domain/retry.ts';
import { assertCanRun, startingNow } from '#features/reminders/schedule.service.ts';
import { AppError, Invalid, NotFound } from '#platform/errors.ts';
import { actOnJob } from '#simulation/model-job-actions.ts';
import { enqueue, insertJob, type NewJobId } from '#simulation/model-jobs.ts';
import { scheduleReminder, stop, unscheduleReminder } from '#simulation/model-occurrence.ts';
import { reportFailure } from '#simulation/model-reports.ts';
import type { Serialize } from '#simulation/model-store.ts';
import { type Act, type Done, type People, reasonOf, viewOf } from '#simulation/people.ts';
import { isoOf, type JobRow, type ReminderRow, type SuppressionRow, type Tables } from '#simulation/tables.ts';

export type NewId = { job: NewJobId; reminder: () => string };

/** The model of the services of reminders, jobs and channels, on the tables in memory. */
export function createModelPeople(
  tables: Tables,
  { serialize, newId }: { serialize: Serialize; newId: NewId },
): People {
  const jobsOf = (workspaceId: string) =>
    [...tables.jobs.values()].filter((job) => job.workspace_id === workspaceId).map(viewOf);
  return {
    act: (act, now) =>
      serialize((): Done => {
        const before = jobsOf(act.workspaceId);
        try {
          const id = perform(act, { tables, now, newId });
          return { answer: { kind: 'done', id }, before, after: jobsOf(act.workspaceId) };
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return { answer: { kind: 'refused', code: error.code }, before, after: before };
        }
      }),
  };
}

type ConformanceState = { tables: Tables; now: Temporal.Instant; newId: NewId };

/** Refuses before it writes anything. */
function perform(act: Act, state: ConformanceState): string | null {
  const { tables } = state;
  switch (act.kind) {
    case 'write':
      return write(act, state);
    case 'edit':
      edit(act, state);
      return null;
    case 'switch':
      switchTo(act, state);
      return null;
    case 'delete':
      remove(act, state);
      return null;
    case 'restore':
      restore(act, state);
      return null;
    case 'test':
      return test(act, state);
    case 'job':
      actOnJob(act, { ...state, newId: state.newId.job });
      return null;
    case 'suppress':
      suppress(tables, entryOf(act, state.now));
      return null;
    case 'unsuppress':
      tables.suppressions = tables.suppressions.filter((row) => !isSameEntry(row, entryOf(act, state.now)));
      return null;
    case 'consent': {
      const { workspaceId: workspace_id, channel, recipient, word } = act;
      tables.consents.push({ workspace_id, channel, recipient, ...word });
      return null;
    }
    case 'wish': {
      const key = keyInWorkspace(act.workspaceId, act.address);
      if (act.hours === null) tables.wishes.delete(key);
      else tables.wishes.set(key, act.hours);
      return null;
    }
    case 'topic': {
      const topic = tables.topics.get(act.topicId);
      if (topic === undefined) throw new NotFound('topic');
      // A copy, because earlier readers keep what they have read.
      tables.topics.set(topic.id, { ...topic, kind: 'optional' });
      return null;
    }
    case 'channel': {
      const channel = tables.channels.get(act.channelId);
      if (channel === undefined) throw new NotFound('channel');
      // A copy, because earlier readers keep what they have read.
      tables.channels.set(channel.id, { ...channel, is_active: act.isActive, updated_at: isoOf(state.now) });
      return null;
    }
    case 'contact': {
      const { contactId: id, contact, workspaceId } = act;
      if (contact === null) tables.contacts.delete(id);
      else tables.contacts.set(id, { ...stored(contact), id, workspace_id: workspaceId });
      return null;
    }
    case 'group': {
      const { groupId: id, rule, name, workspaceId } = act;
      if (rule === null) tables.groups.delete(id);
      else tables.groups.set(id, { id, workspace_id: workspaceId, name, rule });
      return null;
    }
    case 'report':
      return reportFailure(act, state);
    case 'pauseAll':
      pauseAll(act, state);
      return null;
    case 'deleteWorkspace':
      deleteWorkspace(act, state);
      return null;
    case 'prefer': {
      const workspace = tables.workspaces.get(act.workspaceId);
      if (workspace !== undefined) workspace.prefers_miss = act.miss;
      return null;
    }
    default:
      return act satisfies never;
  }
}

/** As JSON columns return it. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value));

function write(
  { workspaceId, input }: Extract<Act, { kind: 'write' }>,
  { tables, now, newId }: ConformanceState,
): string {
  const schedule_config = startingNow(input.schedule_config, now);
  if (input.status === 'active') assertCanRun(schedule_config, now);
  assertAudience(tables, { workspaceId, audience: input.metadata.audience });
  const { name, status, content, metadata } = stored(input);
  const id = newId.reminder();
  const reminder = { id, workspace_id: workspaceId, name: name.trim(), status, content, metadata, revision: 1 };
  const row = { ...reminder, schedule_config: stored(schedule_config) };
  tables.reminders.set(id, row);
  scheduleReminder(row, { tables, now, because: reminderWasEdited, newId: newId.job });
  return id;
}

function edit(
  { workspaceId, reminderId, input }: Extract<Act, { kind: 'edit' }>,
  { tables, now, newId }: ConformanceState,
): void {
  const before = find(tables, { workspaceId, reminderId });
  const schedule_config = startingNow(input.schedule_config, now);
  if (input.status === 'active') assertCanRun(schedule_config, now, before);
  assertAudience(tables, { workspaceId, audience: input.metadata.audience, before: before.metadata.audience });
  const { name, status, content, metadata } = stored(input);
  const changed = { name: name.trim(), status, content, metadata, schedule_config: stored(schedule_config) };
  const row = { ...before, ...changed, revision: before.revision + 1 };
  tables.reminders.set(reminderId, row);
  scheduleReminder(row, { tables, now, because: reminderWasEdited, newId: newId.job });
}

/** Refuses groups and contacts that do not exist, unless the reminder named them before. */
function assertAudience(
  tables: Tables,
  {
    workspaceId,
    audience,
    before,
  }: { workspaceId: string; audience: Audience | undefined; before?: Audience | undefined },
): void {
  const lost = (field: 'groups' | 'contacts') =>
    (audience?.[field] ?? []).filter(
      (id) => tables[field].get(id)?.workspace_id !== workspaceId && before?.[field]?.includes(id) !== true,
    );
  if (lost('groups').length + lost('contacts').length > 0) throw new Invalid([]);
}

function switchTo(
  { workspaceId, reminderId, to }: Extract<Act, { kind: 'switch' }>,
  { tables, now, newId }: ConformanceState,
): void {
  const before = find(tables, { workspaceId, reminderId });
  if (to === 'active') assertCanRun(before.schedule_config, now, before);
  const row = { ...before, status: to };
  tables.reminders.set(reminderId, row);
  scheduleReminder(row, { tables, now, because: reminderWasPaused, newId: newId.job });
}

function remove(
  { workspaceId, reminderId }: Extract<Act, { kind: 'delete' }>,
  { tables, now }: ConformanceState,
): void {
  const reminder = find(tables, { workspaceId, reminderId });
  const jobs = unscheduleReminder(reminderId, { tables, now, because: reminderWasDeleted });
  tables.deleted.set(reminderId, { status: reminder.status, jobs });
  tables.reminders.set(reminderId, { ...reminder, status: 'deleted' });
}

function restore(
  { workspaceId, reminderId }: Extract<Act, { kind: 'restore' }>,
  { tables, now, newId }: ConformanceState,
): void {
  const reminder = tables.reminders.get(reminderId);
  const deleted = tables.deleted.get(reminderId);
  if (reminder?.workspace_id !== workspaceId || deleted === undefined) throw new NotFound('deleted reminder');
  tables.deleted.delete(reminderId);
  const row = { ...reminder, status: deleted.status };
  tables.reminders.set(reminderId, row);
  for (const job of deleted.jobs) {
    tables.jobs.set(job.id, job);
    if (job.status === 'pending') enqueue(tables, job);
  }
  if (row.status === 'active' && deleted.jobs.length === 0)
    scheduleReminder(row, { tables, now, because: reminderWasDeleted, newId: newId.job });
}

function test(
  { workspaceId, reminderId, recipients }: Extract<Act, { kind: 'test' }>,
  { tables, now, newId }: ConformanceState,
): string {
  const reminder = find(tables, { workspaceId, reminderId });
  const { channels } = reminder.metadata;
  const of = { type: 'test_reminder' as const, reminder_id: reminderId, scheduled_for: isoOf(now) };
  const id = newId.job(of);
  insertJob(tables, {
    ...of,
    id,
    workspace_id: workspaceId,
    name: `Test: ${reminder.name}`,
    max_attempts: maxAttemptsOf(channels),
    revision: 1,
    payload: stored({
      testMode: true,
      recipients,
      channels,
      pinned: reminder.metadata.pinned_channels,
      content: { subject: 'Test', message: 'Does it work?', topic_id: reminder.content.topic_id },
      originalReminder: { id: reminderId, name: reminder.name },
      values: reminder.content.values ?? {},
      timezone: reminder.schedule_config.timezone,
    }),
  });
  return id;
}

/** The model of `pause-all.service.ts`. */
function pauseAll(
  { workspaceId, seconds }: Extract<Act, { kind: 'pauseAll' }>,
  { tables, now }: ConformanceState,
): void {
  const workspace = tables.workspaces.get(workspaceId);
  if (workspace === undefined) return;
  const isPaused = workspace.paused_until !== null && workspace.paused_until > isoOf(now);
  if (seconds > 0 || isPaused) workspace.paused_until = isoOf(now.add({ seconds }));
  if (seconds === 0) return;
  const open = [...tables.jobs.values()].filter(
    (job) =>
      job.workspace_id === workspaceId &&
      job.type === 'reminder' &&
      (job.status === 'pending' || (job.status === 'running' && isClaimed(tables, job))),
  );
  stop(open, { tables, now, because: allWerePaused });
}

/** The model of `workspace-deletion.service.ts`. */
function deleteWorkspace(
  { workspaceId, isDeleted }: Extract<Act, { kind: 'deleteWorkspace' }>,
  { tables, now }: ConformanceState,
): void {
  const workspace = tables.workspaces.get(workspaceId);
  if (workspace === undefined) return;
  workspace.is_deleted = isDeleted;
  if (!isDeleted) return;
  const running = [...tables.jobs.values()].filter(
    (job) => job.workspace_id === workspaceId && job.status === 'running' && isClaimed(tables, job),
  );
  stop(running, { tables, now, because: workspaceWasDeleted });
}

/** Running jobs are found by their claims. */
const isClaimed = ({ claims }: Tables, { id, claim_id: claim }: JobRow) =>
  claim !== null && claims.get(claim)?.job_ids.includes(id) === true;

function find(
  tables: Tables,
  { workspaceId, reminderId }: { workspaceId: string; reminderId: string },
): ReminderRow & { status: ReminderStatus } {
  const row = tables.reminders.get(reminderId);
  if (row === undefined || row.workspace_id !== workspaceId || row.status === 'deleted') throw new NotFound('reminder');
  return { ...row, status: row.status };
}

function suppress(tables: Tables, row: SuppressionRow): void {
  if (!tables.suppressions.some((other) => isSameEntry(other, row))) tables.suppressions.push(row);
}

const entryOf = (act: Extract<Act, { kind: 'suppress' | 'unsuppress' }>, now: Temporal.Instant): SuppressionRow => ({
  workspace_id: act.workspaceId,
  channel: act.channel,
  recipient: act.recipient,
  covers: act.covers,
  topic_id: act.topicId,
  reason: reasonOf(act),
  ends_at: act.seconds === null ? null : isoOf(now.add({ seconds: act.seconds })),
});

const isSameEntry = (one: SuppressionRow, other: SuppressionRow) =>
  one.workspace_id === other.workspace_id &&
  one.channel === other.channel &&
  one.recipient === other.recipient &&
  one.covers === other.covers &&
  one.topic_id === other.topic_id &&
  (one.ends_at === null) === (other.ends_at === null);
