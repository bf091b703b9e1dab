import { z } from 'zod';
import type { AgendaEntry } from '#contract/agenda-entry.ts';
import { agendaLimits } from '#contract/agenda.ts';
import type { Audience } from '#contract/audience.ts';
import { channelTypes } from '#contract/channel-types.ts';
import type { Reminder } from '#contract/reminders.ts';
import { exclusionOf, type StoredExclusion } from '#domain/exclusions.ts';
import { addressedByEvent } from '#domain/event-recipients.ts';
import { countDestinations } from '#domain/recipients.ts';
import * as rows from '#features/agenda/agenda.db.ts';
import type { Ahead } from '#features/agenda/ahead.service.ts';
import { countPeople } from '#features/contact-groups/audience.service.ts';
import type { TenantContext } from '#platform/context.ts';

/** What may keep a person from an occurrence: a pause, and the jobs that are skipped for them. */
export type MayBeExcluded = { pause: Pick<StoredExclusion, 'paused_until' | 'timezone'>; skipped: ReadonlySet<string> };

/**
 * Reads what an agenda says of these occurrences: to whom they go, over which channels. A reminder that is gone meanwhile has no entry.
 * @param given.person whose exclusions are told; null for an agenda of everybody
 */
export async function entriesOf(
  ctx: TenantContext,
  some: readonly Ahead[],
  { person }: { person: MayBeExcluded | null },
): Promise<(ahead: Ahead) => AgendaEntry[]> {
  const { db, workspaceId } = ctx;
  const ids = [...new Set(some.flatMap(({ reminderId }) => (reminderId === null ? [] : [reminderId])))];
  const reminders = new Map((await rows.findShown(db, { workspaceId, ids })).map((one) => [one.id, one]));
  const jobs = some.flatMap(({ type, jobId }) => (type === 'reminder' || jobId === null ? [] : [jobId]));
  const payloads = jobs.length === 0 ? [] : await rows.findPayloads(db, { workspaceId, ids: jobs });
  const payloadOf = new Map(payloads.map(({ id, payload }) => [id, OwnRecipients.parse(payload)]));
  const goesTo = ({ type, reminderId, jobId }: Ahead) => {
    const reminder = reminders.get(reminderId ?? '');
    const own = type === 'reminder' ? noneOfItsOwn : (payloadOf.get(jobId ?? '') ?? noneOfItsOwn);
    return { reminder, own, ...recipientsOf(reminder, own) };
  };
  const begun = some.flatMap(({ state, jobId }) => (state === 'waiting' && jobId !== null ? [jobId] : []));
  const waiting = begun.length === 0 ? null : await rows.countWaiting(db, { workspaceId, ids: begun });
  const people = await peopleOfEach(
    ctx,
    some.map((ahead) => goesTo(ahead).audience),
  );
  return (ahead) => {
    const { reminder, own, recipients, audience } = goesTo(ahead);
    if (reminder === undefined && ahead.reminderId !== null) return [];
    return [
      {
        id: ahead.id,
        at: new Date(ahead.atMs).toISOString(),
        due_at: new Date(ahead.dueMs).toISOString(),
        name: ahead.name ?? reminder?.name ?? '',
        type: ahead.type,
        reminder_id: ahead.reminderId,
        job_id: ahead.jobId,
        timezone: reminder?.timezone ?? null,
        channels: reminder?.metadata.channels ?? own.channels ?? ['email'],
        recipients,
        people: people(audience),
        state: ahead.state,
        waiting: ahead.state === 'waiting' ? (waiting?.get(ahead.jobId ?? '') ?? 0) : null,
        exclusion: person === null ? null : excludedFrom(ahead, { person, reminder, now: ctx.now }),
      },
    ];
  };
}

type Excluded = { person: MayBeExcluded; reminder: rows.ShownReminder | undefined; now: Temporal.Instant };

/** What keeps the person from an occurrence, as the claim will see it. A message that is written once has neither skips nor pauses. */
function excludedFrom(
  { jobId, dueMs, atMs, state }: Ahead,
  { person: { pause, skipped }, reminder, now }: Excluded,
): AgendaEntry['exclusion'] {
  if (reminder === undefined || reminder.metadata.one_off === true) return null;
  const stored = { ...pause, is_skipped: jobId !== null && skipped.has(jobId) };
  const isFirst = state === 'scheduled' || state === 'paused';
  const timezone = reminder.timezone ?? 'UTC';
  return exclusionOf(stored, { dueMs, nowMs: Math.max(atMs, now.epochMilliseconds), timezone, isFirst })?.kind ?? null;
}

/** What a job has of its own: the recipients of a message of the API, or of an event that names them. */
export const OwnRecipients = z.object({
  channels: z.array(z.enum(channelTypes)).optional().catch(undefined),
  recipients: z.array(z.string()).optional().catch(undefined),
  data: z.record(z.string(), z.string()).default({}).catch({}),
});
export type OwnRecipients = z.output<typeof OwnRecipients>;

const noneOfItsOwn: OwnRecipients = { data: {} };

function recipientsOf(
  reminder: rows.ShownReminder | undefined,
  own: OwnRecipients,
): { recipients: number; audience: Audience | null } {
  if (reminder === undefined)
    return { recipients: (own.recipients?.length ?? 0) + countDestinations(own.channels ?? []), audience: null };
  const { recipients, named, audience } = besideTheList(reminder.metadata, own);
  const listed = keepsList(reminder.metadata, own) ? reminder.recipients : 0;
  // The addresses that an event names are one person's.
  const people = recipients.length - Math.max(named.length - 1, 0);
  return { recipients: people + listed + countDestinations(reminder.metadata.channels), audience };
}

/** To whom a job is sent beside the list of its reminder. */
export const besideTheList = (metadata: Reminder['metadata'], own: OwnRecipients) =>
  addressedByEvent({ content: { recipients: [] }, metadata }, own);

/** Whether a job is sent to the list of its reminder too: an event's recipients replace it where the reminder does not ask for them. */
export const keepsList = (
  { event_recipients: asksEvent }: Reminder['metadata'],
  { recipients }: OwnRecipients,
): boolean => asksEvent === true || recipients === undefined;

/** How many people each of these audiences has now, each counted once; null for those beyond the most that one answer counts. */
async function peopleOfEach(
  ctx: TenantContext,
  audiences: readonly (Audience | null)[],
): Promise<(audience: Audience | null) => number | null> {
  const counts = new Map<string, number>();
  for (const audience of audiences) {
    const key = JSON.stringify(audience);
    if (audience === null || counts.has(key) || counts.size === agendaLimits.audiences) continue;
    counts.set(key, await countPeople(ctx, { audience }));
  }
  return (audience) => (audience === null ? 0 : (counts.get(JSON.stringify(audience)) ?? null));
}
