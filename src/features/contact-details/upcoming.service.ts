import type { UpcomingOfContact } from '#contract/contact-details.ts';
import type { Suppression } from '#contract/suppressions.ts';
import type { TopicKind } from '#contract/topics.ts';
import { isAudience } from '#contract/audience.ts';
import type { Contact } from '#contract/contacts.ts';
import { targetsOfPeople } from '#domain/audience-targets.ts';
import { membershipIn } from '#domain/contact-rule.ts';
import { exclusionOf, pauseEndMs, reasonOfExclusion } from '#domain/exclusions.ts';
import { preferredFirst, withPreference } from '#domain/fallback-chains.ts';
import { hoursNeverMeet } from '#domain/ledger-reasons.ts';
import { isoOf } from '#domain/instants.ts';
import { mayBeSent, reasonOfSkip, type Verdict } from '#domain/may-be-sent.ts';
import {
  type International,
  isLineTo,
  parseLine,
  recipientKey,
  type Target,
  targetsOfLines,
} from '#domain/recipients.ts';
import { nextOccurrenceMs } from '#domain/schedule.ts';
import { type ConsentOfPerson, consentOfPerson } from '#features/consents/required-consent.service.ts';
import { showContact } from '#features/contact-details/contact-details.service.ts';
import { internationalOf } from '#features/contacts/dialling.service.ts';
import { keysOf } from '#features/contacts/spellings.service.ts';
import { skippedFor } from '#features/exclusions/skips.service.ts';
import { neverMetAmong } from '#features/preferences/preferences.service.ts';
import { nextJobOf } from '#features/reminders/occurrence.service.ts';
import { listReminders } from '#features/reminders/reminder-lists.service.ts';
import type { StoredReminder } from '#features/reminders/reminders.service.ts';
import { topicKinds } from '#features/topics/topics.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { mapInSlices, type Slice } from '#platform/in-slices.ts';
import type { SecretBox } from '#platform/secrets.ts';

const shown = 20;
/** How many pages of reminders are read, each of at most 100 reminders and 2 MB. */
const reads = 4;

/** The active reminders that are sent to a contact, soonest first, and after them those that wait for an event. Throws NotFound. */
export async function listUpcoming(
  ctx: TenantContext,
  id: string,
  ports: { secrets: SecretBox },
): Promise<{ data: UpcomingOfContact[]; is_complete: boolean }> {
  const { suppressions, groups, consents: _, receiving_hours: chosen, ...contact } = await showContact(ctx, id, ports);
  const international = await internationalOf(ctx, { channels: ['sms', 'whatsapp'] });
  const skipped = await skippedFor(ctx, id);
  const keys = new Set(keysOf(contact));
  const consentTo = await consentOfPerson(ctx, [...keys]);
  const isNeverMet = chosen.length === 0 ? null : await neverMetAt(ctx, keys);
  const isBound = suppressions.length > 0 || consentTo !== null || isNeverMet !== null;
  const kinds = isBound ? await topicKinds(ctx) : new Map<string, TopicKind>();
  const nowMs = ctx.now.epochMilliseconds;
  const person: Person = {
    contact,
    groups,
    suppressions,
    consentTo,
    isNeverMet,
    kinds,
    keys,
    international,
    skipped,
    nowMs,
  };
  const data: UpcomingOfContact[] = [];
  const slice: Slice = { size: 0 };
  let cursor: string | undefined;
  for (let read = 0; read < reads; read += 1) {
    const page = await listReminders(ctx, {
      status: 'active',
      sort: 'next_run',
      limit: 100,
      withOneOffs: true,
      cursor,
    });
    for (const reminder of page.data) {
      const comes = isAhead(reminder) ? await reachOf(reminder, person, slice) : null;
      if (comes === null) continue;
      if (data.length === shown) return { data, is_complete: false };
      const jobId = reminder.next_run_at === null ? null : await nextJobOf(ctx, reminder.id);
      data.push(withExclusion(comes, { reminder, jobId, person, nowMs }));
    }
    if (page.next_cursor === null) return { data, is_complete: true };
    cursor = page.next_cursor;
  }
  return { data, is_complete: false };
}

const neverMetAt = (ctx: TenantContext, keys: ReadonlySet<string>) =>
  neverMetAmong(ctx, {
    targets: [...keys].map((key) => ({ channel: key.includes('@') ? 'email' : 'sms', recipient: key })),
    now: ctx.now,
  });

const isAhead = ({ schedule_config: schedule, next_run_at: next }: StoredReminder) =>
  schedule.type === 'event-based' || next !== null;

type Person = {
  contact: Contact;
  groups: readonly { id: string; name: string }[];
  suppressions: readonly Suppression[];
  /** Whether they agree to messages; null where none needs a consent. */
  consentTo: ConsentOfPerson | null;
  /** Whether optional messages cannot be sent, because their hours and those of the workspace never meet; null where they have chosen none. */
  isNeverMet: ((target: Target) => boolean) | null;
  /** The kinds of the topics, by id. */
  kinds: ReadonlyMap<string, TopicKind>;
  /** The keys of the contact's address and number. */
  keys: ReadonlySet<string>;
  international: International;
  /** The jobs that are skipped for the contact. */
  skipped: ReadonlySet<string>;
  nowMs: number;
};

type Reached = Omit<UpcomingOfContact, 'job_id' | 'exclusion' | 'resumes_at'>;

/** With what keeps the next run from them. Of a reminder of an event it is not known when it comes: it is as if it came now. */
function withExclusion(
  comes: Reached,
  { reminder, jobId, person, nowMs }: { reminder: StoredReminder; jobId: string | null; person: Person; nowMs: number },
): UpcomingOfContact {
  const { next_run_at: next, schedule_config: schedule, metadata } = reminder;
  const { paused_until: until, timezone: own } = person.contact;
  const dueMs = next === null ? nowMs : Date.parse(next);
  const stored = { is_skipped: jobId !== null && person.skipped.has(jobId), paused_until: until, timezone: own };
  const at = { dueMs, nowMs: Math.max(dueMs, nowMs), timezone: schedule.timezone, isFirst: true };
  const exclusion = metadata.one_off === true ? null : exclusionOf(stored, at);
  if (exclusion === null) return { ...comes, job_id: jobId, exclusion: null, resumes_at: null };
  const fromMs = Math.max(dueMs, until === null ? 0 : pauseEndMs(until, own ?? schedule.timezone) - 1);
  const resumesMs = next === null ? null : nextOccurrenceMs(schedule, { afterMs: fromMs });
  return {
    ...comes,
    channels: [],
    problem: comes.problem ?? reasonOfExclusion(exclusion).reason,
    job_id: jobId,
    exclusion: exclusion.kind,
    resumes_at: resumesMs === null ? null : isoOf(resumesMs),
  };
}

/** How a reminder reaches the person; null when the person is not among its recipients. */
async function reachOf(reminder: StoredReminder, person: Person, slice: Slice): Promise<Reached | null> {
  const { id, name, schedule_config, metadata, next_run_at } = reminder;
  const lines = await mapInSlices(reminder.content.recipients, parseLine, { slice });
  const own = lines.filter((line) => isLineTo(line, person));
  const through = isAudience(metadata.audience) ? membershipIn(metadata.audience, person) : null;
  if (own.length === 0 && through === null) return null;
  // A webhook calls its own URL only when the list has no URL.
  const url = lines.find(({ recipient }) => recipient.kind === 'url');
  const { channels } = metadata;
  const listed = targetsOfLines(url === undefined ? own : [...own, url], channels, person.international);
  const people = through === null ? [] : [{ ...person.contact, through }];
  const addressed = [...listed, ...targetsOfPeople(people, { channels, listed })].filter(
    (target) => target.contact_id !== undefined || person.keys.has(recipientKey(target.recipient)),
  );
  const { topic_id: topicId = null } = reminder.content;
  const isOptional = person.kinds.get(topicId ?? '') !== 'required';
  const targets = addressed.map((target) =>
    isOptional && person.isNeverMet?.(target) === true
      ? { ...target, problem: target.problem ?? hoursNeverMeet }
      : target,
  );
  const [first] = targets;
  if (first === undefined) return null;
  const about = {
    topicId,
    kind: topicId === null ? null : (person.kinds.get(topicId) ?? null),
    occasion: 'reminder' as const,
  };
  const verdictOn = ({ channel, recipient }: Target) =>
    mayBeSent(about, {
      entries: person.suppressions.filter(
        (entry) => entry.channel === channel && entry.recipient === recipientKey(recipient),
      ),
      consent: person.consentTo?.(channel, about) ?? 'not_needed',
      // A pause may have ended by then.
      nowMs: Math.max(person.nowMs, next_run_at === null ? 0 : Date.parse(next_run_at)),
    });
  const isInOrder = metadata.channel_mode === 'in_order';
  const reached = reachedBy(targets, { ...person, verdictOn, channels, isInOrder });
  const skips = targets
    .map((target) => ({ target, verdict: verdictOn(target) }))
    .flatMap(({ target, verdict }) => (verdict.kind === 'skip' ? [reasonOfSkip(verdict.code, target.channel)] : []));
  return {
    id,
    name,
    schedule_config,
    next_run_at,
    through: own.length > 0 ? null : through,
    channels: reached,
    problem: reached.length > 0 ? null : ((skips[0] ?? first.problem)?.reason ?? null),
  };
}

/** The channels that reach them. Who does not want an optional message on one channel does not get it over the next either. */
function reachedBy(
  targets: readonly Target[],
  {
    channels,
    isInOrder,
    verdictOn,
    contact,
  }: Pick<Person, 'contact'> & {
    channels: StoredReminder['metadata']['channels'];
    isInOrder: boolean;
    verdictOn: (target: Target) => Verdict;
  },
): UpcomingOfContact['channels'] {
  const reached: UpcomingOfContact['channels'] = [];
  const fitting = channels.flatMap(
    (channel) => targets.find((target) => target.channel === channel && target.problem === null) ?? [],
  );
  const chain = isInOrder
    ? preferredFirst(
        fitting.map((target) => withPreference(target, contact)),
        (target) => verdictOn(target).kind === 'send',
      )
    : fitting;
  for (const target of chain) {
    const verdict = verdictOn(target);
    if (verdict.kind === 'send') reached.push(target.channel);
    else if (isInOrder && !verdict.isFallingBack) break;
  }
  return reached;
}
