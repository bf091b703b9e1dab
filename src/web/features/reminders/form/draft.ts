import type { z } from 'zod';
import { needsRecipients } from '#contract/channel-types.ts';
import type { MessageFormat } from '#contract/message-format.ts';
import type { Reminder, ReminderInput } from '#contract/reminders.ts';
import type { delayUnits, EventTrigger, ScheduleConfig, scheduleTypes } from '#contract/schedules.ts';
import type { TopicChoice } from '#web/features/topics/default-topic.ts';
import { tomorrowAtNine, wallTimeIn } from './wall-time.ts';

/** The state of the reminder form. Its paths match the contract, so that errors find their fields. */
export type ReminderDraft = {
  name: string;
  description: string;
  isActive: boolean;
  schedule_config: ScheduleDraft;
  content: {
    subject: string;
    message: string;
    format: MessageFormat;
    variables: string[];
    values: Record<string, string>;
    recipients: string[];
    topic_id?: TopicChoice;
  };
  metadata: Reminder['metadata'];
  /** Text in entry fields that is not added yet: saving adds it. `phrase` only fills in other fields. */
  entries: { recipient: string; recipients: string; variable: string; phrase: string };
};

/** The fields of both trigger types, so that switching loses nothing. Dates are local times in the zone. */
export type ScheduleDraft = {
  type: ScheduleConfig['type'];
  scheduleType: (typeof scheduleTypes)[number];
  customCron: string;
  startDate: string | null;
  endDate: string | null;
  timezone: string;
  eventTrigger: EventTrigger | null;
  /** Text while the input is not a number. */
  delayAmount: number | string;
  delayUnit: (typeof delayUnits)[number];
};

/** The values of a new reminder, in the given zone: the person's, or the browser's. */
export function newDraft({ now, zone }: { now: Date; zone: string }): ReminderDraft {
  return {
    name: '',
    description: '',
    isActive: true,
    schedule_config: {
      type: 'scheduled',
      scheduleType: 'daily',
      customCron: '',
      startDate: tomorrowAtNine(now),
      endDate: null,
      timezone: zone,
      eventTrigger: null,
      delayAmount: 0,
      delayUnit: 'hours',
    },
    content: { subject: '', message: '', format: 'markdown', variables: [], values: {}, recipients: [] },
    metadata: { channels: ['email'], priority: 'medium', event_recipients: true },
    entries: { recipient: '', recipients: '', variable: '', phrase: '' },
  };
}

/** Whether this is a message that is written to people once, and no reminder. */
export const isWrittenOnce = ({ metadata, schedule_config: { type, scheduleType } }: ReminderDraft): boolean =>
  metadata.one_off === true && type === 'scheduled' && scheduleType === 'once';

/** Whether the start of a one-time reminder that is to be active has come. */
export function isSentAtOnce({ isActive, schedule_config: schedule }: ReminderDraft): boolean {
  const { type, scheduleType, startDate, timezone } = schedule;
  if (!isActive || type !== 'scheduled' || scheduleType !== 'once' || startDate === null) return false;
  return startDate <= wallTimeIn(new Date().toISOString(), timezone);
}

/**
 * A message whose time has come has no start: it is sent when the server gets it, however long it took to write, and nothing of it is late. A reminder
 * keeps the start that somebody has chosen.
 */
export const asSent = (draft: ReminderDraft): ReminderDraft =>
  isWrittenOnce(draft) && isSentAtOnce(draft)
    ? { ...draft, schedule_config: { ...draft.schedule_config, startDate: null } }
    : draft;

/** The draft of a saved reminder; missing values are those of a new one. */
export function draftOf(reminder: Reminder, { now }: { now: Date }): ReminderDraft {
  const { schedule_config: schedule, content } = reminder;
  const zone = schedule.timezone;
  const fresh = newDraft({ now, zone });
  return {
    ...fresh,
    name: reminder.name,
    description: reminder.description ?? '',
    isActive: reminder.status === 'active',
    schedule_config: {
      type: schedule.type,
      scheduleType: schedule.scheduleType ?? fresh.schedule_config.scheduleType,
      customCron: schedule.customCron ?? '',
      startDate: schedule.startDate === undefined ? startOfOld(schedule, fresh) : wallTimeIn(schedule.startDate, zone),
      endDate: schedule.endDate === undefined ? null : wallTimeIn(schedule.endDate, zone),
      timezone: zone,
      eventTrigger: schedule.eventTrigger ?? null,
      delayAmount: schedule.delayAmount ?? fresh.schedule_config.delayAmount,
      delayUnit: schedule.delayUnit ?? fresh.schedule_config.delayUnit,
    },
    content: {
      ...content,
      format: content.format ?? 'plain',
      variables: content.variables ?? [],
      values: content.values ?? {},
      topic_id: content.topic_id ?? null,
    },
    // A scheduled reminder that becomes an event reminder begins like a new one.
    metadata: {
      ...reminder.metadata,
      event_recipients: schedule.type === 'scheduled' || reminder.metadata.event_recipients === true,
    },
  };
}

// A scheduled reminder that was saved without a start must not get one when it is opened.
const startOfOld = ({ type }: ScheduleConfig, fresh: ReminderDraft) =>
  type === 'scheduled' ? null : fresh.schedule_config.startDate;

/** The draft with the topic that it is saved with. */
export const withTopic = (draft: ReminderDraft, topic: string | null): ReminderDraft => ({
  ...draft,
  content: { ...draft.content, topic_id: topic },
});

/** The request that saves the draft. */
export function inputOf({ name, description, isActive, ...draft }: ReminderDraft): z.input<typeof ReminderInput> {
  const { values, recipients, topic_id: topic, ...content } = draft.content;
  const { event_recipients: isForEvent, one_off: _, audience, ...metadata } = draft.metadata;
  // The draft keeps them for a channel that is sent to people.
  const hasRecipients = needsRecipients(metadata.channels);
  const isEvent = draft.schedule_config.type === 'event-based';
  // With a repetition, after an event or as a draft it is a reminder as any other.
  const isOneOff = isActive && isWrittenOnce({ name, description, isActive, ...draft });
  return {
    name,
    description: description.trim() === '' ? null : description,
    status: isActive ? 'active' : 'draft',
    schedule_config: scheduleInputOf(draft.schedule_config),
    // A blank value would be sent as an empty text; without it the server reports the missing value.
    content: {
      ...content,
      ...(typeof topic === 'string' && { topic_id: topic }),
      recipients: hasRecipients ? recipients : [],
      values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
    },
    metadata: {
      ...metadata,
      ...(hasRecipients && audience !== undefined && { audience }),
      ...(hasRecipients && isEvent && isForEvent === true && { event_recipients: true }),
      ...(isOneOff && { one_off: true }),
    },
  };
}

/** The fields of the schedule's trigger type. */
export function scheduleInputOf(schedule: ScheduleDraft): z.input<typeof ScheduleConfig> {
  const { type, timezone } = schedule;
  if (type === 'event-based') {
    const { eventTrigger, delayAmount, delayUnit } = schedule;
    return {
      type,
      timezone,
      eventTrigger: eventTrigger ?? undefined,
      delayAmount: delayAmount === '' ? undefined : Number(delayAmount),
      delayUnit,
    };
  }
  const { scheduleType, customCron, startDate, endDate } = schedule;
  return {
    type,
    timezone,
    scheduleType,
    customCron: scheduleType === 'custom' ? customCron : undefined,
    startDate: startDate ?? undefined,
    endDate: endDate ?? undefined,
  };
}
