import { Select, Textarea, TextInput } from '@mantine/core';
import { calendarVariables } from '#contract/calendar-sources.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { limits } from '#contract/reminders.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import type { CalendarDraft } from './calendar-draft.ts';

type Props = {
  draft: CalendarDraft;
  errors: Readonly<Record<string, string>>;
  onChange: (changes: Partial<CalendarDraft>) => void;
};

const channels = channelTypes.map((value) => ({ value, label: channelLooks[value].name }));

/** What is sent to whom, to begin with: the reminder has all the rest. */
export function MessageFields({ draft, errors, onChange }: Props) {
  return (
    <>
      <Select
        label="Channel"
        data={channels}
        allowDeselect={false}
        value={draft.channel}
        error={errors['metadata.channels']}
        onChange={(value) => {
          const channel = channelTypes.find((known) => known === value);
          if (channel) onChange({ channel });
        }}
      />
      <Textarea
        label="Recipients"
        withAsterisk
        description="One on each line. People whom the calendar invites are not written to."
        placeholder="anna@example.com"
        autosize
        minRows={2}
        maxRows={6}
        value={draft.recipients}
        error={errors['content.recipients']}
        onChange={(event) => onChange({ recipients: event.currentTarget.value })}
      />
      <TextInput
        label="Subject"
        withAsterisk
        maxLength={limits.subject}
        value={draft.subject}
        error={errors['content.subject']}
        onChange={(event) => onChange({ subject: event.currentTarget.value })}
      />
      <Textarea
        label="Message"
        withAsterisk
        description={`Of each event: ${calendarVariables.map((name) => `{{${name}}}`).join(', ')}`}
        autosize
        minRows={3}
        maxRows={10}
        value={draft.message}
        error={errors['content.message']}
        onChange={(event) => onChange({ message: event.currentTarget.value })}
      />
    </>
  );
}
