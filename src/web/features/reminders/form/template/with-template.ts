import { limits } from '#contract/reminders.ts';
import type { GalleryTemplate } from '#contract/template-gallery.ts';
import type { ReminderDraft } from '#web/features/reminders/form/draft.ts';
import { namesIn } from '#web/features/templates/form/names-in.ts';

/**
 * The template that a reminder starts from. `id` is null for another workspace's template, of which only the text is
 * copied.
 */
export type Beginning = Pick<GalleryTemplate, 'name' | 'content' | 'variables'> & { id: string | null };

/** Whether the draft has content that a template would overwrite. */
export const isWritten = ({ content }: ReminderDraft): boolean =>
  content.subject.trim() !== '' || content.message.trim() !== '';

/**
 * The draft with the template's subject and message, its variables, and their defaults where no value is set. An
 * optional variable without a default renders as blank, as it does in the template.
 */
export function withTemplate(draft: ReminderDraft, { id, name, content, variables }: Beginning): ReminderDraft {
  const listed = variables.variables;
  const blank = listed.filter((one) => !one.required && one.defaultValue === '').map((one) => one.name);
  const [subject, message] = [content.subject, content.body].map((text) => withBlanks(text, blank));
  const { template_id: _, ...metadata } = draft.metadata;
  const { variables: before, values } = draft.content;
  const named = [...listed.map((one) => one.name), ...namesIn(`${content.subject}\n${content.body}`)];
  const defaults = listed.filter((one) => one.defaultValue !== '').map((one) => [one.name, one.defaultValue]);
  return {
    ...draft,
    name: draft.name.trim() === '' ? name.slice(0, limits.name) : draft.name,
    content: {
      ...draft.content,
      subject: subject ?? '',
      message: message ?? '',
      variables: [...new Set([...before, ...named])].slice(0, limits.variables),
      values: { ...Object.fromEntries(defaults), ...values },
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

/** `{{note}}` becomes `{{ note | default: "" }}`, because a message with a missing value is not sent. */
const withBlanks = (text: string, names: readonly string[]) =>
  text.replaceAll(/\{\{-?\s*([A-Za-z_][\w-]*)\s*-?\}\}/g, (placeholder, name: string) =>
    names.includes(name) ? `{{ ${name} | default: "" }}` : placeholder,
  );
