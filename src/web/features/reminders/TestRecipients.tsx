import { type ReactNode, useState } from 'react';
import type { ChannelType } from '#contract/reminders.ts';
import { ChipList } from './ChipList.tsx';
import { EntryField } from './EntryField.tsx';
import { MisfitNotice } from './MisfitNotice.tsx';

type TestRecipientsProps = {
  recipients: string[];
  channels: readonly ChannelType[];
  error: ReactNode;
  onChange: (recipients: string[]) => void;
};

/** Who gets the test: entered one by one, removable. */
export function TestRecipients({ recipients, channels, error, onChange }: TestRecipientsProps) {
  const [entry, setEntry] = useState('');
  const add = () => {
    const recipient = entry.trim();
    if (recipient !== '' && !recipients.includes(recipient)) onChange([...recipients, recipient]);
    setEntry('');
  };
  return (
    <div>
      <EntryField
        label="Test recipients"
        placeholder="Email, phone or URL"
        addLabel="Add test recipient"
        error={error}
        value={entry}
        onType={setEntry}
        onAdd={add}
        isFirst
      />
      <ChipList
        label="Test recipients"
        chips={recipients}
        onRemove={(index) => onChange(recipients.filter((_, at) => at !== index))}
      />
      <MisfitNotice recipients={recipients} channels={channels} />
    </div>
  );
}
