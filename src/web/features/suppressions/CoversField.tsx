import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Coverage } from '#contract/suppressions.ts';
import { useTopics } from '#web/api/topics.ts';
import { allOptional } from './suppression-words.ts';

/** What an entry covers, as the API takes it. */
export type Covers = { covers: Exclude<Coverage, 'topic'> } | { covers: 'topic'; topic_id: string };

type CoversFieldProps = {
  value: Covers;
  /** Whether it may cover everything. */
  hasEverything: boolean;
  error?: ReactNode;
  onChange: (covers: Covers) => void;
};

/** What somebody no longer gets: everything, all optional messages, or one optional topic. */
export function CoversField({ value, hasEverything, error, onChange }: CoversFieldProps) {
  const { data: topics = [] } = useTopics();
  const optional = topics.filter(({ kind, archived_at: at }) => kind === 'optional' && at === null);
  return (
    <Select
      label="What is not sent"
      description={
        value.covers === 'everything'
          ? 'Also what people cannot leave, such as notices.'
          : 'Required messages are sent.'
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      allowDeselect={false}
      data={[
        ...(hasEverything ? [{ value: 'everything', label: 'Everything' }] : []),
        { value: 'optional', label: allOptional },
        ...optional.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={value.covers === 'topic' ? value.topic_id : value.covers}
      error={error}
      onChange={(chosen) => {
        if (chosen === 'everything' || chosen === 'optional') onChange({ covers: chosen });
        else if (chosen !== null) onChange({ covers: 'topic', topic_id: chosen });
      }}
    />
  );
}
