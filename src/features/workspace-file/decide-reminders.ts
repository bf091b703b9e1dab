import { z } from 'zod';
import type { Audience } from '#contract/audience.ts';
import { channelTypes, needsRecipients } from '#contract/channel-types.ts';
import { Id } from '#contract/common.ts';
import type { FieldError } from '#contract/errors.ts';
import { ReminderInput } from '#contract/reminders.ts';
import { isOfCalendar } from '#contract/schedules.ts';
import { ReminderLinks } from '#features/workspace-file/file-items.ts';
import type { ReminderMade } from '#features/workspace-file/import.db.ts';
import type { Pins } from '#features/workspace-file/decide-channels.ts';
import {
  type Decided,
  decideSection,
  readBy,
  type Reader,
  type ReadItem,
  type Verdict,
} from '#features/workspace-file/read-items.ts';
import { startingNow } from '#features/reminders/schedule.service.ts';
import { firstOccurrence, ScheduleError } from '#domain/schedule.ts';
import type { TenantContext } from '#platform/context.ts';
import { finishInSlices } from '#platform/in-slices.ts';

/** The ids that the references in reminders stand for. */
type Targets = {
  templates: ReadonlyMap<string, string>;
  groups: ReadonlyMap<string, string>;
  contacts: ReadonlyMap<string, string>;
  topics: ReadonlyMap<string, string>;
  pins: Pins;
};

type Read = { input: ReminderInput; notes: FieldError[] };

/**
 * Decides about reminders. Each is created paused, or as a draft if it was one: nothing is sent until a person resumes it, which checks the plan. A
 * reminder without a further occurrence cannot be resumed, so it keeps its status.
 */
export const decideReminders = (
  ctx: TenantContext,
  items: readonly unknown[],
  targets: Targets,
): Promise<Decided<ReminderMade>[]> =>
  decideSection<Read, ReminderInput>(ctx, items, {
    section: 'reminders',
    table: 'reminders',
    read: readerOf(targets),
    judge: (read) => finishInSlices(stepThroughReminders(read, ctx.now)),
  });

function* stepThroughReminders(
  read: readonly ReadItem<Read>[],
  now: Temporal.Instant,
): Generator<void, Verdict<Omit<ReminderMade, 'id' | 'ref'>>[]> {
  const verdicts: Verdict<Omit<ReminderMade, 'id' | 'ref'>>[] = [];
  for (const { value } of read) {
    verdicts.push(verdictOf(value, now));
    yield;
  }
  return verdicts;
}

function verdictOf({ input, notes }: Read, now: Temporal.Instant): Verdict<Omit<ReminderMade, 'id' | 'ref'>> {
  const schedule = startingNow(input.schedule_config, now);
  const common = { ...input, name: input.name.trim(), schedule_config: schedule };
  if (hasNoOccurrence(schedule, now)) return { row: common, notes };
  // A message that is not sent is a reminder: it would be in no list otherwise.
  const { one_off: _, ...metadata } = input.metadata;
  return { row: { ...common, metadata, status: input.status === 'draft' ? 'draft' : 'paused' }, notes };
}

/** Whether the schedule has no further occurrence. One that cannot be read may have. */
function hasNoOccurrence(schedule: ReminderInput['schedule_config'], now: Temporal.Instant): boolean {
  if (schedule.type !== 'scheduled') return false;
  try {
    return firstOccurrence(schedule, { now }) === null;
  } catch (error) {
    if (error instanceof ScheduleError) return false;
    throw error;
  }
}

function readerOf(targets: Targets): Reader<Read> {
  const readLinks = readBy(ReminderLinks);
  const readInput = readBy(ReminderInput);
  return (item) => {
    const links = readLinks(item);
    if ('refused' in links) return links;
    const { hook, ...reminder } = links.value;
    const { metadata, notes } = linked(reminder.metadata, targets);
    const followed = withTopic({ ...reminder, metadata }, { topics: targets.topics, notes });
    const read = readInput(withoutCron(withoutNobody(followed, notes), notes));
    // The notes explain it: what was left out may be why nothing remains.
    if ('refused' in read) return { refused: [...read.refused, ...notes] };
    if (hook?.is_signed === true)
      notes.push({ path: 'hook', message: 'had a secret, which the file does not have: set one before you resume it' });
    if (isOfCalendar(read.value.schedule_config))
      notes.push({
        path: 'schedule_config',
        message: 'had a calendar, which the file does not have: add the calendar again',
      });
    return { value: { input: read.value, notes } };
  };
}

/** Whom a reminder over Slack or push alone names gets nothing: they are left out, with a note. */
function withoutNobody<T extends { content?: unknown; metadata: Record<string, unknown> }>(
  reminder: T,
  notes: FieldError[],
) {
  const read = Addressed.safeParse(reminder);
  if (!read.success || needsRecipients(read.data.metadata.channels)) return reminder;
  const leave = (path: string) =>
    void notes.push({ path, message: 'would get nothing over Slack or push alone: left out' });
  const { content, metadata } = read.data;
  const { audience, event_recipients: asksEvent, ...rest } = metadata;
  if (content.recipients.length > 0) leave('content.recipients');
  if (audience !== undefined) leave('metadata.audience');
  if (asksEvent !== undefined) leave('metadata.event_recipients');
  return { ...reminder, content: { ...content, recipients: [] }, metadata: rest };
}

/** The topic of this workspace; a message whose topic the file does not have gets none, and people can leave it. */
function withTopic<T extends object>(
  reminder: T,
  { topics, notes }: { topics: ReadonlyMap<string, string>; notes: FieldError[] },
): T {
  const read = WithTopic.safeParse(reminder);
  if (!read.success) return reminder;
  const { topic_id: ref, ...content } = read.data.content;
  const id = topics.get(ref);
  if (id === undefined)
    notes.push({ path: 'content.topic_id', message: 'is not a topic of this file, or cannot be made: it is left out' });
  return { ...reminder, content: { ...content, ...(id !== undefined && { topic_id: id }) } };
}

const WithTopic = z.looseObject({ content: z.looseObject({ topic_id: Id }) });

/** A cron expression beside a schedule of another type was never followed: it is left out, with a note. */
function withoutCron<T extends object>(reminder: T, notes: FieldError[]) {
  const read = WithCron.safeParse(reminder);
  if (!read.success) return reminder;
  const { customCron, ...schedule } = read.data.schedule_config;
  if (schedule.type === 'scheduled' && schedule.scheduleType === 'custom') return reminder;
  if (customCron.trim() !== '')
    notes.push({ path: 'schedule_config.customCron', message: 'is followed by the type `custom` alone: left out' });
  return { ...reminder, schedule_config: schedule };
}

const WithCron = z.looseObject({
  schedule_config: z.looseObject({ type: z.string(), scheduleType: z.string().optional(), customCron: z.string() }),
});

const Addressed = z.looseObject({
  content: z.looseObject({ recipients: z.array(z.unknown()) }),
  metadata: z.looseObject({
    channels: z.array(z.enum(channelTypes)).min(1),
    audience: z.unknown().optional(),
    event_recipients: z.unknown().optional(),
  }),
});

/** The metadata with ids of this workspace. A reference that leads to nothing is left out, with a note. */
function linked(
  { template_id: template, audience, pinned_channels: pins, ...metadata }: ReminderLinks['metadata'],
  targets: Targets,
): { metadata: Record<string, unknown>; notes: FieldError[] } {
  const notes: FieldError[] = [];
  const leave = (path: string, message: string) => void notes.push({ path: `metadata.${path}`, message });
  const followed = (field: 'groups' | 'contacts', refs: readonly string[]) =>
    refs.flatMap((ref, at) => {
      const id = targets[field].get(ref);
      if (id === undefined) leave(`audience.${field}.${at}`, 'is not in this file, or cannot be made: it is left out');
      return id ?? [];
    });
  const templateId = template === undefined ? undefined : targets.templates.get(template);
  if (template !== undefined && templateId === undefined)
    leave('template_id', 'is not in this file, or cannot be made: it is left out');
  const pinned = Object.entries(pins ?? {}).flatMap(([type, name]): [string, string][] => {
    const id = name === undefined ? undefined : targets.pins(type, name);
    if (id === undefined) leave(`pinned_channels.${type}`, 'is not a channel of this workspace: any of its type sends');
    return id === undefined ? [] : [[type, id]];
  });
  const own: Audience | undefined = audience && {
    ...audience,
    ...(audience.groups && { groups: followed('groups', audience.groups) }),
    ...(audience.contacts && { contacts: followed('contacts', audience.contacts) }),
  };
  return {
    metadata: {
      ...metadata,
      ...(templateId !== undefined && { template_id: templateId }),
      ...(own !== undefined && { audience: own }),
      ...(pins !== undefined && pinned.length > 0 && { pinned_channels: Object.fromEntries(pinned) }),
    },
    notes,
  };
}
