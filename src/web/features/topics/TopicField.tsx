import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Topic } from '#contract/topics.ts';
import { useTopics } from '#web/api/topics.ts';
import { kindText } from './topic-words.ts';

type TopicFieldProps = {
  /** Null is no topic. */
  value: string | null;
  error?: ReactNode;
  /** What is said below it in place of what the choice means. */
  note?: string;
  onChange: (id: string | null) => void;
};

/** What a message is about; nothing in a workspace without topics. An archived topic stays where it was chosen. */
export function TopicField({ value, error, note, onChange }: TopicFieldProps) {
  const { data: topics = [] } = useTopics();
  const offered = topics.filter(({ id, archived_at: at }) => at === null || id === value);
  if (offered.length === 0) return null;
  return (
    <Select
      label="Topic"
      description={note ?? noteOf(offered.find(({ id }) => id === value))}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[
        { value: none, label: 'No topic' },
        ...offered.map((topic) => ({ value: topic.id, label: labelOf(topic) })),
      ]}
      value={value ?? none}
      error={error}
      searchable={offered.length > 8}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen === none ? null : chosen)}
    />
  );
}

const none = 'none';

const labelOf = ({ name, kind, archived_at: at }: Topic): string => {
  const notes = [...(kind === 'required' ? ['required'] : []), ...(at === null ? [] : ['archived'])];
  return notes.length === 0 ? name : `${name} (${notes.join(', ')})`;
};

function noteOf(topic: Topic | undefined): string {
  if (topic === undefined) return 'Whoever has left all optional messages does not get it.';
  if (topic.kind === 'required')
    return `${kindText(topic)}: people cannot leave it, and whoever has left all optional messages gets it too.`;
  const { left } = topic;
  return left === 0
    ? 'People can leave it.'
    : `People can leave it: ${left.toLocaleString('en')} ${left === 1 ? 'has' : 'have'}.`;
}
