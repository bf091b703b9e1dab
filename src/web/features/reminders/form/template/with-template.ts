import { limits } from '#contract/reminders.ts';
import { messageOfTemplate } from '#domain/message-of-template.ts';
import type { GalleryTemplate } from '#contract/template-gallery.ts';
import type { ReminderDraft } from '#web/features/reminders/form/draft.ts';
import { namesIn } from '#web/features/templates/form/names-in.ts';

/**
 * The template that a reminder starts from. `id` is null for another workspace's template, of which only the text is
 * copied.
 */
export type Beginning = Pick<GalleryTemplate, 'name' | 'content' | 'variables'> & {
  id: string | null;
  /** How often a starter's message is usually sent. */
  scheduleType?: ReminderDraft['schedule_config']['scheduleType'];
};

/** Whether the draft has content that a template would overwrite. */
export const isWritten = ({ content }: ReminderDraft): boolean =>
  content.subject.trim() !== '' || content.message.trim() !== '';

type Options = {
  /** Whether somebody has chosen the schedule: then it stays. */
  isScheduleChosen: boolean;
  /** The topic that the template proposes; undefined where it proposes none that can be chosen. */
  topic?: string | undefined;
};

/**
 * The draft with the template's subject and message, its variables, and their defaults where no value is set. An
 * optional variable without a default renders as blank, as it does in the template.
 */
export function withTemplate(
  draft: ReminderDraft,
  { id, name, content, variables, scheduleType }: Beginning,
  { isScheduleChosen, topic }: Options,
): ReminderDraft {
  const listed = variables.variables;
  const { subject, message, defaults } = messageOfTemplate({ content, variables });
  const { template_id: _, ...metadata } = draft.metadata;
  const { variables: before, values } = draft.content;
  const named = [...listed.map((one) => one.name), ...namesIn(`${content.subject}\n${content.body}`)];
  return {
    ...draft,
    schedule_config: {
      ...draft.schedule_config,
      ...(scheduleType !== undefined && !isScheduleChosen && { scheduleType }),
    },
    name: draft.name.trim() === '' ? name.slice(0, limits.name) : draft.name,
    content: {
      ...draft.content,
      subject,
      message,
      format: content.format ?? 'plain',
      ...(id !== null && topic !== undefined && { topic_id: topic }),
      variables: [...new Set([...before, ...named])].slice(0, limits.variables),
      values: { ...defaults, ...values },
    },
    metadata: {
      ...metadata,
      // The channels are still the default.
      channels: isUntouched(draft) ? [content.type] : metadata.channels,
      ...(id !== null && { template_id: id }),
    },
  };
}

const isUntouched = ({ metadata, content }: ReminderDraft) =>
  metadata.channels.join() === 'email' && content.recipients.length === 0;
