import type { Kysely } from 'kysely';
import * as rows from '#features/calendar-sources/calendar-sources.db.ts';
import { type Fetched, fetchCalendar } from '#features/calendar-sources/fetch-calendar.ts';
import { type IcsResult, lookBackHours } from '#features/calendar-sources/ics/messages.ts';
import type { ReadIcs } from '#features/calendar-sources/ics/ics-thread.ts';
import { scheduleEvents } from '#features/events/scheduled-events.service.ts';
import { lockForEdit } from '#features/reminders/reminders.service.ts';
import { inTenant } from '#platform/database.ts';
import type { OutboundHttp } from '#platform/outbound/http.ts';
import type { Schema } from '#platform/schema.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type ReadPorts = {
  db: Kysely<Schema>;
  secrets: SecretBox;
  http: OutboundHttp;
  readIcs: ReadIcs;
  now: () => Temporal.Instant;
  /** Mails the owners about a calendar that has failed for days. Returns whether that was done; null where no mail can be sent. */
  notifyOwners: ((failing: { workspaceId: string; name: string; reason: string }) => Promise<boolean>) | null;
};

const readEveryHours = 1;
/** A server that takes longer than this is asked less often: it keeps a reader from other calendars. */
const slowSeconds = 5;
const readSlowEveryHours = 4;
const failedHours = [1, 2, 4, 8, 12] as const;
/** After how many hours an unchanged calendar is parsed again, since the window of coming days has moved. */
const wholeEveryHours = 24;
const notifyAfterHours = 72;
export const leaseMinutes = 5;

/** Reads a calendar and updates its scheduled messages to match its events. The caller has its lease. */
export async function readSource(
  ports: ReadPorts,
  of: { workspaceId: string; id: string; personId: string | null },
): Promise<void> {
  const tenant = { workspaceId: of.workspaceId, userId: null };
  const source = await inTenant(ports.db, tenant, (db) => rows.findSourceToRead(db, of));
  if (source === undefined) return;
  const askedAt = ports.now();
  const fetched = await textOf(ports, source);
  const now = ports.now();
  const isSlow = now.since(askedAt).total('seconds') > slowSeconds;
  if (fetched.kind === 'unchanged') return store(ports, { source, now, isSlow, read: null });
  if (fetched.kind === 'failed') return fail(ports, { source, now, reason: fetched.reason });
  const task = {
    text: fetched.text,
    timezone: source.schedule_config.timezone,
    allDayTime: source.all_day_time,
    offsets: source.offsets,
    now: now.toString(),
  };
  const result = await ports.readIcs(task, of);
  if (result.kind === 'refused') return fail(ports, { source, now, reason: result.reason });
  await store(ports, { source, now, isSlow, read: { fetched, result } });
}

async function textOf(
  { secrets, http, now }: ReadPorts,
  { workspace_id: workspaceId, ...source }: rows.SourceToRead,
): Promise<Fetched> {
  if (source.file !== null) return { kind: 'text', text: source.file, etag: null, lastModified: null };
  if (source.sealed_url === null || secrets.keyOf(source.sealed_url) === 'unknown')
    return { kind: 'failed', reason: 'Its address cannot be opened with the encryption key. Enter it again.' };
  const url = secrets.open(source.sealed_url, urlContext(workspaceId));
  const { last_parsed_at: parsed, etag, last_modified: lastModified } = source;
  const isFresh = parsed !== null && Date.parse(parsed) > now().subtract({ hours: wholeEveryHours }).epochMilliseconds;
  return fetchCalendar(http, { url, workspaceId, known: isFresh ? { etag, lastModified } : null });
}

export const urlContext = (workspaceId: string) => ({ workspaceId, purpose: 'the address of a calendar' });

type Read = { fetched: Extract<Fetched, { kind: 'text' }>; result: Extract<IcsResult, { kind: 'read' }> };

const store = (
  { db: app }: ReadPorts,
  {
    source,
    now,
    isSlow,
    read,
  }: { source: rows.SourceToRead; now: Temporal.Instant; isSlow: boolean; read: Read | null },
): Promise<void> =>
  inTenant(app, { workspaceId: source.workspace_id, userId: null }, async (db) => {
    const workspaceId = source.workspace_id;
    // Keeps edits of the reminder waiting, so that its jobs match its revision.
    await lockForEdit({ db }, source.reminder_id);
    const isCurrent = await rows.markRead(db, {
      workspaceId,
      id: source.id,
      version: source.version,
      now: now.toString(),
      nextReadAt: now.add({ hours: isSlow ? readSlowEveryHours : readEveryHours }).toString(),
      parsed: read === null ? null : { ...read.fetched, leftOut: read.result.leftOut },
    });
    const reminder = await rows.findReminderOf(db, { workspaceId, id: source.reminder_id });
    if (!isCurrent || read === null || reminder === undefined) return;
    const since = now.subtract({ hours: lookBackHours });
    await scheduleEvents({ db, workspaceId, now }, { reminder, wanted: read.result.messages, since });
  });

async function fail(
  { db: app, notifyOwners }: ReadPorts,
  { source, now, reason }: { source: rows.SourceToRead; now: Temporal.Instant; reason: string },
): Promise<void> {
  const { workspace_id: workspaceId, failures, failing_since: since, name } = source;
  const isLong = since !== null && Date.parse(since) < now.subtract({ hours: notifyAfterHours }).epochMilliseconds;
  const isToNotify = isLong && source.owners_notified_at === null && notifyOwners !== null;
  const isNotified = isToNotify && (await notifyOwners({ workspaceId, name, reason }));
  const hours = failedHours[Math.min(failures, failedHours.length - 1)] ?? 1;
  await inTenant(app, { workspaceId, userId: null }, (db) =>
    rows.markFailed(db, {
      workspaceId,
      id: source.id,
      version: source.version,
      reason,
      now: now.toString(),
      nextReadAt: now.add({ hours }).toString(),
      notifiedAt: isNotified ? now.toString() : source.owners_notified_at,
    }),
  );
}
