import { type ReactNode, useState } from 'react';
import type { ChannelType } from '#contract/channel-types.ts';
import { parseRecipient } from '#domain/recipients.ts';
import { ChipList } from './ChipList.tsx';
import { EntryField } from './EntryField.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { RecipientNotices } from './RecipientNotices.tsx';

type TestRecipientsProps = {
  recipients: string[];
  channels: readonly ChannelType[];
  error: ReactNode;
  onChange: (recipients: string[]) => void;
};

/** The recipients of the test: added one by one, removable. */
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
      <RecipientNotices recipients={recipients} channels={channels} />
      {channels.includes('webhook') && recipients.length > 0 && !recipients.some(isUrl) && (
        <Notice>
          The webhook channel’s own URL is called once for each recipient, as when the reminder runs. Add a URL here to
          call only that one.
        </Notice>
      )}
    </div>
  );
}

const isUrl = (recipient: string) => parseRecipient(recipient).kind === 'url';
