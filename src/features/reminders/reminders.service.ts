import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Reminder, ReminderInput } from '#contract/reminders.ts';
import { isOfCalendar } from '#contract/schedules.ts';
import { reminderWasEdited, reminderWasPaused } from '#domain/ledger-reasons.ts';
import { pauseEndProblem } from '#domain/pause.ts';
import { hasCalendar } from '#features/calendar-sources/ownership.service.ts';
import { assertAudience } from '#features/contact-groups/audience.service.ts';
import { assertCanStart } from '#features/reminders/activation.service.ts';
import { recordEdit } from '#features/reminders/changes.service.ts';
import { lockReminder } from '#features/reminders/occurrence.db.ts';
import { scheduleReminder } from '#features/reminders/occurrence.service.ts';
import * as rows from '#features/reminders/reminders.db.ts';
import { startingNow } from '#features/reminders/schedule.service.ts';
import { countUse } from '#features/templates/templates.service.ts';
import { assertTopic } from '#features/topics/topics.service.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { Conflict, NotFound, refusedAt, Invalid } from '#platform/errors.ts';
import { channelTypes } from '#contract/channel-types.ts';
import type { Db } from '#platform/database.ts';

/** A reminder with its next run, without warnings: the route adds these, which depend on the installation. */
export type StoredReminder = Omit<Reminder, 'warnings'>;

/** Every field, also those that may be left out: whoever copies a reminder has to decide about each. */
export type EveryField = ReminderInput & Record<keyof ReminderInput, unknown>;

export async function getReminder(ctx: TenantContext, id: string): Promise<StoredReminder> {
  const row = await rows.findReminder(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (row === undefined) throw new NotFound('reminder');
  return withoutRevision(row);
}

export async function createReminder(ctx: TenantContext, written: ReminderInput): Promise<StoredReminder> {
  if (isOfCalendar(written.schedule_config)) throw refusedAt('schedule_config.eventTrigger', onlyCalendars);
  const created = await createAnyReminder(ctx, written);
  const { id, name, status, metadata } = created;
  await recordAct(
    ctx,
    metadata.one_off === true
      ? { action: 'message.sent', target: id, details: { name } }
      : { action: 'reminder.created', target: id, details: { name, status } },
  );
  return created;
}

/** Creates a reminder, also one for a calendar, which requests may not. */
export async function createAnyReminder(ctx: TenantContext, written: ReminderInput): Promise<StoredReminder> {
  const input = withStart(written, ctx.now);
  assertOneOff(input);
  if (input.status === 'active') await assertCanStart(ctx, input);
  await assertPins(ctx, input.metadata);
  await assertAudience(ctx, { audience: input.metadata.audience });
  await assertTopic(ctx, { topicId: input.content.topic_id });
  await countTemplate(ctx, { now: input, before: null });
  const id = randomUUIDv7();
  await rows.insertReminder(ctx.db, {
    id,
    workspaceId: ctx.workspaceId,
    createdBy: personOf(ctx.actor),
    now: ctx.now.toString(),
    input,
  });
  await scheduleReminder(ctx, { ...input, id, revision: 1 }, { reason: reminderWasEdited, isResumed: false });
  await announce(ctx, ['reminders', 'jobs']);
  return getReminder(ctx, id);
}

export async function updateReminder(
  ctx: TenantContext,
  { id, input: written, unchangedSince }: { id: string; input: ReminderInput; unchangedSince?: string | undefined },
): Promise<StoredReminder> {
  await lockReminder(ctx.db, id);
  const before = await getReminder(ctx, id);
  if (unchangedSince !== undefined && Date.parse(before.updated_at) !== Date.parse(unchangedSince))
    throw new Conflict('This reminder has changed since you opened it');
  const input = withStart(written, ctx.now);
  assertOneOff(input);
  await assertSameCalendar(ctx, { before, after: input });
  if (input.status === 'active') await assertCanStart(ctx, input, before);
  await assertPins(ctx, input.metadata);
  await assertAudience(ctx, { audience: input.metadata.audience, before: before.metadata.audience });
  await assertTopic(ctx, { topicId: input.content.topic_id, before: before.content.topic_id });
  await countTemplate(ctx, { now: input, before });
  const replaced = await rows.replaceReminder(ctx.db, {
    workspaceId: ctx.workspaceId,
    id,
    now: ctx.now.toString(),
    input,
  });
  if (replaced === undefined) throw new NotFound('reminder');
  const isResumed = before.status !== 'active';
  await scheduleReminder(ctx, { ...input, id, revision: replaced.revision }, { reason: reminderWasEdited, isResumed });
  await recordEdit(ctx, { id, before, after: input });
  if (input.status === 'active' && before.status !== 'active')
    await recordAct(ctx, { action: 'reminder.activated', target: id, details: { name: input.name } });
  await announce(ctx, ['reminders', 'jobs']);
  return getReminder(ctx, id);
}

/** Gives the reminder of a calendar another timezone. */
export async function changeZone(
  ctx: TenantContext,
  { id, timezone }: { id: string; timezone: string },
): Promise<void> {
  await lockForEdit(ctx, id);
  const before = await getReminder(ctx, id);
  if (before.schedule_config.timezone === timezone) return;
  const { name, description, status, content, metadata } = before;
  const input = {
    name,
    description,
    status,
    content,
    metadata,
    schedule_config: { ...before.schedule_config, timezone },
  } satisfies EveryField;
  const replaced = await rows.replaceReminder(ctx.db, {
    workspaceId: ctx.workspaceId,
    id,
    now: ctx.now.toString(),
    input,
  });
  if (replaced === undefined) throw new NotFound('reminder');
  const changed = { ...input, id, revision: replaced.revision };
  await scheduleReminder(ctx, changed, { reason: reminderWasEdited, isResumed: false });
  await announce(ctx, ['reminders', 'jobs']);
}

/** Keeps edits of the reminder waiting until this transaction ends. */
export const lockForEdit = ({ db }: Pick<TenantContext, 'db'>, id: string) => lockReminder(db, id);

/** Refuses another schedule while a calendar decides when the reminder is sent. Without its calendar it may have any. */
async function assertSameCalendar(
  ctx: TenantContext,
  { before, after }: { before: StoredReminder; after: ReminderInput },
): Promise<void> {
  const [was, is] = [before.schedule_config, after.schedule_config];
  if (!isOfCalendar(was)) {
    if (isOfCalendar(is)) throw refusedAt('schedule_config.eventTrigger', onlyCalendars);
    return;
  }
  if (isDeepStrictEqual(was, is) || !(await hasCalendar(ctx, before.id))) return;
  throw refusedAt(
    'schedule_config',
    'The calendar decides when this reminder is sent: change it there, or remove it first',
  );
}

/** Refuses a message of its own that would be in no list and send nothing by itself. */
function assertOneOff({ status, schedule_config: { type, scheduleType }, metadata }: ReminderInput): void {
  if (metadata.one_off !== true || (status !== 'draft' && type === 'scheduled' && scheduleType === 'once')) return;
  throw refusedAt('metadata.one_off', 'Only a one-time reminder that is no draft is a message of its own');
}

const onlyCalendars = 'Only a calendar makes reminders of its events: add it in the settings of the workspace';

/**
 * Pauses or resumes a reminder. Pausing keeps the next occurrence from being sent; resuming computes it anew from now, without catching up. A pause
 * with an end resumes by itself (`timed-resume.service.ts`).
 */
export async function setReminderStatus(ctx: TenantContext, change: StatusChange): Promise<StoredReminder> {
  await switchTo(ctx, change);
  await announce(ctx, ['reminders', 'jobs']);
  return getReminder(ctx, change.id);
}

/** `until` is when a pause ends by itself, as an ISO instant. */
type StatusChange = { id: string; status: 'active' | 'paused'; until?: string | undefined };

/** Changes the status of one of many reminders; the caller announces the change. */
export async function switchTo(ctx: TenantContext, { id, status, until }: StatusChange): Promise<void> {
  await lockReminder(ctx.db, id);
  const reminder = await getReminder(ctx, id);
  if (until !== undefined) {
    assertPauseEnd(ctx, until);
    if (reminder.status === 'draft')
      throw refusedAt('until', 'A draft is not sent, so it cannot be paused until a date');
  }
  if (status === 'paused' && reminder.is_done) throw refusedAt('status', nothingToPause);
  if (status === 'active') await assertCanStart(ctx, reminder, reminder);
  const changed = await rows.setStatus(ctx.db, {
    workspaceId: ctx.workspaceId,
    id,
    now: ctx.now.toString(),
    status,
    until: until ?? null,
  });
  if (changed === undefined) throw new NotFound('reminder');
  await recordAct(ctx, {
    action:
      status === 'paused' ? 'reminder.paused' : reminder.status === 'draft' ? 'reminder.activated' : 'reminder.resumed',
    target: id,
    details: { name: reminder.name, until: until ?? null },
  });
  await scheduleReminder(
    ctx,
    { ...reminder, status, revision: changed.revision },
    { reason: reminderWasPaused, isResumed: reminder.status !== 'active' },
  );
}

/** Why a reminder that is done is not paused. */
export const nothingToPause = 'It is done: nothing of it lies ahead, so there is nothing to pause';

/** Refuses an end that is not in the future, or more than a year ahead. */
export function assertPauseEnd({ now }: Pick<TenantContext, 'now'>, until: string): void {
  const problem = pauseEndProblem(Temporal.Instant.from(until), now);
  if (problem !== null) throw refusedAt('until', problem);
}

/** Counts the use of a template once for each reminder. A reminder keeps the id of a template that was deleted since. */
async function countTemplate(
  ctx: TenantContext,
  { now, before }: { now: Pick<ReminderInput, 'metadata'>; before: Pick<ReminderInput, 'metadata'> | null },
): Promise<void> {
  const { template_id: id } = now.metadata;
  if (id !== undefined && id !== before?.metadata.template_id)
    await countUse(ctx, { id, path: 'metadata.template_id' });
}

const withoutRevision = ({ revision: _, ...row }: rows.ReminderRow): StoredReminder => row;

/** A schedule without a start begins when it is saved. */
const withStart = (input: ReminderInput, now: Temporal.Instant): ReminderInput => ({
  ...input,
  name: input.name.trim(),
  schedule_config: startingNow(input.schedule_config, now),
});

/** Refuses a pinned channel that does not exist in this workspace or has another type. */
async function assertPins(
  ctx: TenantContext,
  { pinned_channels: pins = {} }: ReminderInput['metadata'],
): Promise<void> {
  const pinned = channelTypes.flatMap((type) => {
    const id = pins[type];
    return id === undefined ? [] : [{ type, id }];
  });
  if (pinned.length === 0) return;
  const found = await findChannelTypes(ctx.db, { workspaceId: ctx.workspaceId, ids: pinned.map(({ id }) => id) });
  const typeOf = new Map(found.map((row) => [row.id, row.type]));
  const wrong = pinned.filter(({ type, id }) => typeOf.get(id) !== type);
  if (wrong.length === 0) return;
  throw new Invalid(
    wrong.map(({ type }) => ({
      path: `metadata.pinned_channels.${type}`,
      message: `There is no such ${type} channel in this workspace`,
    })),
  );
}

const findChannelTypes = (db: Db, { workspaceId, ids }: { workspaceId: string; ids: readonly string[] }) =>
  db
    .selectFrom('channels')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...ids])
    .select(['id', 'type'])
    .execute();
