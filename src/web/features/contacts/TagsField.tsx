import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { TagsInput } from '@mantine/core';
import { audienceLimits, matchKey, withoutTwice } from '#contract/audience.ts';
import { useContactTags } from '#web/api/contact-groups.ts';
import type { ContactForm } from './contact-draft.ts';

/** The tags of a contact: typed, or chosen from those in use. */
export function TagsField({ form }: { form: ContactForm }) {
  const { data = [] } = useContactTags();
  const { tags } = form.getValues();
  const own = new Set(tags.map(matchKey));
  const error = Object.entries(form.errors).find(([path]) => path === 'tags' || path.startsWith('tags.'))?.[1];
  return (
    <TagsInput
      label="Tags"
      description="A reminder can be sent to everyone with a tag."
      placeholder={tags.length === 0 ? 'tenant' : undefined}
      data={data.map(({ tag }) => tag).filter((tag) => !own.has(matchKey(tag)))}
      value={tags}
      onChange={(next) => form.setFieldValue('tags', withoutTwice(next))}
      maxTags={audienceLimits.tagsOfContact}
      maxLength={audienceLimits.tag}
      splitChars={[',', ';']}
      error={error}
    />
  );
}
