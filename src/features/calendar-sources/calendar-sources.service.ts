import { randomUUIDv7 } from 'node:crypto';
import {
  type CalendarPreview,
  type CalendarPreviewInput,
  type CalendarSource,
  type CalendarSourceChange,
  type CalendarSourceInput,
  calendarSourceLimits as limits,
} from '#contract/calendar-sources.ts';
import { calendarTrigger } from '#contract/schedules.ts';
import * as rows from '#features/calendar-sources/calendar-sources.db.ts';
import { fetchCalendar } from '#features/calendar-sources/fetch-calendar.ts';
import {
  leaseMinutes,
  type ReadPorts,
  readSource,
  urlContext,
} from '#features/calendar-sources/read-source.service.ts';
import { deleteReminder } from '#features/reminders/deletion.service.ts';
import { changeZone, createAnyReminder } from '#features/reminders/reminders.service.ts';
import { isDemo } from '#features/workspaces/workspaces.service.ts';
import { recordAct } from '#platform/audit.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { Conflict, NotFound, refusedAt } from '#platform/errors.ts';
import { AfterCommit, type InTransaction } from '#platform/handler.ts';
import type { SecretBox } from '#platform/secrets.ts';

export const listSources = async (ctx: TenantContext): Promise<{ data: CalendarSource[] }> => ({
  data: (await rows.findSources(ctx.db, ctx)).map(onTheWire),
});

/** Reads a calendar without storing anything. Throws Unprocessable, with the reason, where it cannot be read. */
export async function previewSource(
  ctx: TenantContext,
  { input, ports }: { input: CalendarPreviewInput; ports: ReadPorts },
): Promise<AfterCommit<CalendarPreview>> {
  await assertMayFetch(ctx, input);
  const { workspaceId } = ctx;
  return new AfterCommit(async () => {
    const { url, file } = input;
    const path = url === undefined ? 'file' : 'url';
    const fetched =
      url === undefined
        ? ({ kind: 'text', text: file?.text ?? '' } as const)
        : await fetchCalendar(ports.http, { url, workspaceId, known: null });
    if (fetched.kind !== 'text') throw refusedAt(path, fetched.kind === 'failed' ? fetched.reason : notChanged);
    const now = ports.now();
    const task = {
      text: fetched.text,
      timezone: input.timezone,
      allDayTime: input.all_day_time,
      offsets: input.offsets,
      now: now.toString(),
    };
    const result = await ports.readIcs(task, { workspaceId, personId: personOf(ctx.actor) });
    if (result.kind === 'refused') throw refusedAt(path, result.reason);
    const toCome = result.messages.filter(({ at }) => Date.parse(at) > now.epochMilliseconds);
    return {
      messages: toCome.slice(0, limits.previewed).map(({ at, title, start }) => ({ at, title, start })),
      count: toCome.length,
      left_out: result.leftOut,
    };
  });
}

const notChanged = 'The server says that nothing has changed, unasked.';

/** Adds a calendar with a reminder of its own, and reads it at once. A failure is stored as the calendar's state. */
export async function createSource(
  ctx: TenantContext,
  { input, ports }: { input: CalendarSourceInput; ports: ReadPorts },
): Promise<AfterCommit<CalendarSource>> {
  const { workspaceId, now } = ctx;
  await assertMayFetch(ctx, input);
  await rows.lockSources(ctx.db, { workspaceId });
  if ((await rows.countSources(ctx.db, { workspaceId })) >= limits.sources)
    throw new Conflict(`A workspace has at most ${limits.sources} calendars. Remove one first.`);
  const reminder = await createAnyReminder(ctx, {
    name: input.name,
    description: null,
    status: 'active',
    // Exactly as the reminder's form saves it, so that an edit of the text does not change the schedule.
    schedule_config: {
      type: 'event-based',
      eventTrigger: calendarTrigger,
      delayAmount: 0,
      delayUnit: 'hours',
      timezone: input.timezone,
    },
    content: input.content,
    // Without recipients from events, or whoever writes the calendar would choose who gets its messages.
    metadata: { ...input.metadata, event_recipients: undefined },
  });
  const id = randomUUIDv7();
  const from = originOf(input, { workspaceId, secrets: ports.secrets });
  if (from === null) throw new Error('a calendar without an address or a file was let in');
  await rows.insertSource(ctx.db, {
    ...rulesOf(input),
    id,
    workspaceId,
    reminderId: reminder.id,
    from,
    createdBy: personOf(ctx.actor),
    now: now.toString(),
  });
  await recordAct(ctx, { action: 'reminder.calendar_added', target: reminder.id, details: { name: input.name } });
  return reading(ctx, { id, ports });
}

/** Changes a calendar and reads it again at once. Without a new address or file it keeps its own. */
export async function updateSource(
  ctx: TenantContext,
  { id, input, ports }: { id: string; input: CalendarSourceChange; ports: ReadPorts },
): Promise<AfterCommit<CalendarSource>> {
  const { workspaceId, now } = ctx;
  await assertMayFetch(ctx, input);
  const { reminder } = await mustFind(ctx, id);
  await changeZone(ctx, { id: reminder.id, timezone: input.timezone });
  await rows.updateSource(ctx.db, {
    ...rulesOf(input),
    workspaceId,
    id,
    from: originOf(input, { workspaceId, secrets: ports.secrets }),
    now: now.toString(),
  });
  await recordAct(ctx, { action: 'reminder.calendar_changed', target: reminder.id, details: { name: input.name } });
  return reading(ctx, { id, ports });
}

export async function readSourceNow(
  ctx: TenantContext,
  { id, ports }: { id: string; ports: ReadPorts },
): Promise<AfterCommit<CalendarSource>> {
  await mustFind(ctx, id);
  return reading(ctx, { id, ports });
}

/** Removes a calendar, with its reminder and what is scheduled; or without, and the reminder stays without a calendar. */
export async function removeSource(
  ctx: TenantContext,
  { id, reminder }: { id: string; reminder: 'delete' | 'keep' },
): Promise<{ id: string }> {
  await mustFind(ctx, id);
  const removed = await rows.deleteSource(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (removed === undefined) throw new NotFound('calendar');
  const kept = reminder === 'keep' ? 'stays' : 'was deleted';
  const details = { name: removed.name, kept };
  await recordAct(ctx, { action: 'reminder.calendar_removed', target: removed.reminder_id, details });
  if (reminder === 'delete') await deleteReminder(ctx, removed.reminder_id);
  return { id };
}

/** Reads after the request's transaction. While another reading is under way it does nothing: that one's outcome is seen later. */
const reading = ({ workspaceId, ...ctx }: TenantContext, { id, ports }: { id: string; ports: ReadPorts }) =>
  new AfterCommit(async (again: InTransaction) => {
    const now = ports.now();
    const until = now.add({ minutes: leaseMinutes }).toString();
    const isMine = await again((db) => rows.lease(db, { workspaceId, id, now: now.toString(), until }));
    if (isMine) await readSource(ports, { workspaceId, id, personId: personOf(ctx.actor) });
    return again((db) => mustFind({ ...ctx, db, workspaceId }, id));
  });

async function mustFind({ db, workspaceId }: TenantContext, id: string): Promise<CalendarSource> {
  const [row] = await rows.findSources(db, { workspaceId, id });
  if (row === undefined) throw new NotFound('calendar');
  return onTheWire(row);
}

/** Refuses addresses in a demo, which connects to the sandbox only. */
async function assertMayFetch(ctx: TenantContext, { url }: { url?: string | undefined }): Promise<void> {
  if (url !== undefined && (await isDemo(ctx)))
    throw refusedAt('url', 'The demo reads no address outside: choose a file instead');
}

const rulesOf = (input: CalendarSourceChange) => ({
  name: input.name.trim(),
  offsets: input.offsets,
  allDayTime: input.all_day_time,
});

function originOf(
  { url, file }: CalendarSourceChange,
  { workspaceId, secrets }: { workspaceId: string; secrets: SecretBox },
): rows.Origin | null {
  if (url !== undefined) return { sealed_url: secrets.seal(url, urlContext(workspaceId)), host: new URL(url).host };
  return file === undefined ? null : { file: file.text, file_name: file.name };
}

const onTheWire = ({
  reminder_id,
  status,
  paused_until,
  schedule_config: { timezone },
  scheduled,
  next_at,
  ...row
}: rows.SourceRow): CalendarSource => ({
  ...row,
  timezone,
  scheduled: scheduled ?? 0,
  next_at: next_at ?? null,
  reminder: { id: reminder_id, status, paused_until },
});
