import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { audienceLimits, matchKey, withoutTwice } from '#contract/audience.ts';
import { useContactTags } from '#web/api/contact-groups.ts';

type TagsFieldProps = {
  label: string;
  description: string;
  tags: string[];
  onChoose: (tags: string[]) => void;
  error?: ReactNode;
};

/** Tags: typed, or chosen from those in use. */
export function TagsField({ label, description, tags, onChoose, error }: TagsFieldProps) {
  const { data = [] } = useContactTags();
  const own = new Set(tags.map(matchKey));
  return (
    <TagsInput
      label={label}
      description={description}
      placeholder={tags.length === 0 ? 'tenant' : undefined}
      data={data.map(({ tag }) => tag).filter((tag) => !own.has(matchKey(tag)))}
      value={tags}
      onChange={(next) => onChoose(withoutTwice(next))}
      maxTags={audienceLimits.tagsOfContact}
      maxLength={audienceLimits.tag}
      splitChars={[',', ';']}
      error={error}
    />
  );
}
