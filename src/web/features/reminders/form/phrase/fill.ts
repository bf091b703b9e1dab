import { type Audience, matchKey } from '#contract/audience.ts';
import { limits } from '#contract/reminders.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import type { NamedAudience, Understood } from '#domain/phrase.ts';
import { addressesOf } from '#web/features/reminders/form/addresses-of.ts';
import type { ReminderDraft, ScheduleDraft } from '#web/features/reminders/form/draft.ts';
import { withRecipients } from '#web/features/reminders/form/entries.ts';
import { titleOf } from './title-of.ts';

/** The fields of a draft that a line can fill in. */
type Fillable = {
  name: string;
  schedule: ScheduleDraft;
  channels: ReminderDraft['metadata']['channels'];
  mode: ReminderDraft['metadata']['channel_mode'];
  recipients: string[];
  audience: Audience | undefined;
  isForEvent: boolean | undefined;
  subject: string;
  message: string;
};

/** The changes of a line, for undo. */
export type Fill = { before: Fillable; after: Fillable };

/**
 * The draft with the reading filled in. Fields that the previous line filled in are reset first, unless they were
 * changed since.
 */
export function filledIn(
  draft: ReminderDraft,
  { understood, last }: { understood: Understood; last: Fill | null },
): { draft: ReminderDraft; fill: Fill } {
  const before = fillableOf(last === null ? draft : takenBack(draft, last));
  const { schedule, message } = understood;
  const channels = understood.channels.length > 0 ? understood.channels : before.channels;
  const people = understood.parts.flatMap((part) => (part.kind === 'audience' ? part.people : []));
  const named = understood.parts.flatMap((part) => (part.kind === 'audience' ? (part.named ?? []) : []));
  const recipients = [...understood.recipients, ...people.flatMap((person) => addressesOf(person, channels))];
  const isNamed = before.name.trim() !== '';
  const after = {
    name: isNamed || message === null ? before.name : titleOf(message.subject).slice(0, limits.name),
    schedule: schedule === null ? before.schedule : scheduleDraftOf(schedule.config, before.schedule),
    channels,
    mode: understood.isInOrder ? ('in_order' as const) : before.mode,
    audience: withNamed(before.audience, named),
    // A line that names recipients is not also sent to those of the event.
    isForEvent: recipients.length > 0 || named.length > 0 ? false : before.isForEvent,
    recipients: withRecipients(before.recipients, recipients.join('\n')),
    subject: message?.subject ?? before.subject,
    message: message?.message ?? before.message,
  };
  return { draft: withFillable(draft, after), fill: { before, after } };
}

/** The draft before the line; fields that were changed since keep their values. */
export function takenBack(draft: ReminderDraft, { before, after }: Fill): ReminderDraft {
  const now = fillableOf(draft);
  const added = new Set(after.recipients).difference(new Set(before.recipients));
  return withFillable(draft, {
    name: now.name === after.name ? before.name : now.name,
    schedule: isSame(now.schedule, after.schedule) ? before.schedule : now.schedule,
    channels: isSame(now.channels, after.channels) ? before.channels : now.channels,
    mode: now.mode === after.mode ? before.mode : now.mode,
    audience: isSame(now.audience, after.audience) ? before.audience : now.audience,
    isForEvent: now.isForEvent === after.isForEvent ? before.isForEvent : now.isForEvent,
    recipients: now.recipients.filter((recipient) => !added.has(recipient)),
    subject: now.subject === after.subject ? before.subject : now.subject,
    message: now.message === after.message ? before.message : now.message,
  });
}

const fillableOf = ({ name, schedule_config: schedule, content, metadata }: ReminderDraft): Fillable => ({
  name,
  schedule,
  channels: metadata.channels,
  mode: metadata.channel_mode,
  recipients: content.recipients,
  audience: metadata.audience,
  isForEvent: metadata.event_recipients,
  subject: content.subject,
  message: content.message,
});

function withFillable(
  draft: ReminderDraft,
  { name, schedule, channels, mode, audience, isForEvent, ...content }: Fillable,
): ReminderDraft {
  const { audience: _, channel_mode: __, ...metadata } = draft.metadata;
  return {
    ...draft,
    name,
    schedule_config: schedule,
    content: { ...draft.content, ...content },
    metadata: {
      ...metadata,
      channels,
      ...(mode !== undefined && { channel_mode: mode }),
      ...(audience !== undefined && { audience }),
      ...(isForEvent !== undefined && { event_recipients: isForEvent }),
    },
  };
}

/** The audience with the named groups, tags or contacts added, each once. */
function withNamed(before: Audience | undefined, named: readonly NamedAudience[]): Audience | undefined {
  let audience = before;
  for (const one of named) {
    const { groups = [], tags = [] } = audience ?? {};
    if (one.kind === 'everyone') audience = { ...audience, everyone: true };
    else if (one.kind === 'group') audience = { ...audience, groups: [...new Set([...groups, one.id])] };
    else if (!tags.some((tag) => matchKey(tag) === matchKey(one.tag)))
      audience = { ...audience, tags: [...tags, one.tag] };
  }
  return audience;
}

/** The fields of the other trigger type keep their values. */
function scheduleDraftOf(config: ScheduleConfig, before: ScheduleDraft): ScheduleDraft {
  const { type, timezone } = config;
  if (type === 'event-based') {
    const { eventTrigger = before.eventTrigger, delayAmount = 0, delayUnit = before.delayUnit } = config;
    return { ...before, type, timezone, eventTrigger, delayAmount, delayUnit };
  }
  return {
    ...before,
    type,
    timezone,
    scheduleType: config.scheduleType ?? before.scheduleType,
    customCron: config.customCron ?? before.customCron,
    startDate: config.startDate ?? null,
    endDate: config.endDate ?? null,
  };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
