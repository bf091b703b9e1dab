import { Box, Flex, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#domain/in-words.ts';
import {
  type CalendarPreview,
  type CalendarSource,
  calendarSourceLimits,
  calendarVariables,
} from '#contract/calendar-sources.ts';
import { calendarSourceRoutes as routes } from '#contract/calendar-sources.ts';
import { channelTypes, isAddressed } from '#contract/channel-types.ts';
import { limits } from '#contract/reminders.ts';
import { useCreateCalendarSource, usePreviewCalendar, useUpdateCalendarSource } from '#web/api/calendar-sources.ts';
import { ApiError } from '#web/api/client.ts';
import { channelChoices } from '#web/ui/channel-choices.ts';
import { ownDestinationsText } from '#web/ui/own-destinations.ts';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { type CalendarDraft, draftOf, newCalendarOf, previewOf, rulesOf } from './calendar-draft.ts';
import prose from '#web/ui/prose.module.css';
import { CalendarFields } from './CalendarFields.tsx';
import { LeftOutList } from './LeftOutList.tsx';

type Props = { workspaceId: string; source: CalendarSource | null; opened: boolean; onClose: () => void };

/** Adds a calendar, after its next messages were shown; or changes when messages of one are sent. */
export function CalendarSourceDialog({ workspaceId, source, opened, onClose }: Props) {
  const [before] = useState(() => draftOf(source));
  const [draft, setDraft] = useState(before);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [preview, setPreview] = useState<CalendarPreview | null>(null);
  const previewing = usePreviewCalendar(workspaceId);
  const create = useCreateCalendarSource(workspaceId);
  const update = useUpdateCalendarSource(workspaceId);
  const isKept = source !== null && draft.url.trim() === '' && draft.file === null;
  const isReady = isKept || preview !== null;

  const change = (changes: Partial<CalendarDraft>) => {
    setDraft((now) => ({ ...now, ...changes }));
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([path]) => !(fieldOf(path) in changes))));
    if (Object.keys(changes).some((name) => name !== 'name' && !isOfMessage(name))) setPreview(null);
  };

  const save = async () => {
    if (source === null) {
      const { failure } = await create.mutateAsync(newCalendarOf(draft));
      if (failure === null) notifySuccess('Calendar added', 'Its messages are planned.');
      else notifyFailure('The calendar was added, but could not be read', new Error(failure));
    } else {
      const { failure } = await update.mutateAsync({ id: source.id, name: draft.name, ...rulesOf(draft) });
      if (failure === null) notifySuccess('Calendar saved', 'Its messages are up to date.');
      else notifyFailure('The calendar was saved, but could not be read', new Error(failure));
    }
    onClose();
  };

  const submit = useSubmit(async () => {
    const parsed =
      source === null
        ? routes.createCalendarSource.body.safeParse(newCalendarOf(draft))
        : routes.updateCalendarSource.body.safeParse({ name: draft.name, ...rulesOf(draft) });
    if (!parsed.success) return setErrors(fieldErrors(parsed.error.issues));
    try {
      if (isReady) await save();
      else setPreview(await previewing.mutateAsync(previewOf(draft)));
    } catch (error) {
      if (error instanceof ApiError && error.fields !== undefined && error.fields.length > 0)
        return setErrors(fieldErrors([...error.fields]));
      notifyFailure(isReady ? 'Error saving the calendar' : 'Error reading the calendar', error);
    }
  });

  return (
    <FormDialog
      title={source === null ? 'Add a calendar' : `Edit ${source.name}`}
      opened={opened}
      width={620}
      isDirty={() => JSON.stringify(draft) !== JSON.stringify(before)}
      onClose={onClose}
    >
      {(leave) => (
        <form noValidate onSubmit={submit}>
          <Stack gap={16}>
            <CalendarFields draft={draft} errors={errors} source={source} onChange={change} />
            {source === null && <MessageFields draft={draft} errors={errors} onChange={change} />}
            {preview !== null && <PreviewList preview={preview} timezone={draft.timezone} />}
            <FormButtons onCancel={leave} isBusy={previewing.isPending || create.isPending || update.isPending}>
              {!isReady ? 'Preview' : source === null ? 'Add calendar' : 'Save'}
            </FormButtons>
          </Stack>
        </form>
      )}
    </FormDialog>
  );
}

const isOfMessage = (name: string) => ['subject', 'message', 'recipients', 'channel'].includes(name);

/** The field of the draft that an error belongs to. */
const fieldOf = (path: string): string => {
  const [first = '', second] = path.split('.');
  if (first === 'all_day_time') return 'allDayTime';
  if (first === 'metadata') return 'channel';
  return first === 'content' ? (second ?? first) : first;
};

type MessageFieldsProps = {
  draft: CalendarDraft;
  errors: Readonly<Record<string, string>>;
  onChange: (changes: Partial<CalendarDraft>) => void;
};

/** What is sent to whom, to begin with: the reminder has all the rest. */
function MessageFields({ draft, errors, onChange }: MessageFieldsProps) {
  return (
    <>
      <Select
        label="Channel"
        data={channelChoices}
        allowDeselect={false}
        value={draft.channel}
        error={errors['metadata.channels']}
        onChange={(value) => {
          const channel = channelTypes.find((known) => known === value);
          if (channel) onChange({ channel });
        }}
      />
      {isAddressed(draft.channel) ? (
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
      ) : (
        <Text role="status">{ownDestinationsText([draft.channel])}</Text>
      )}
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

/** The next messages of a calendar that is not saved yet, in its timezone. */
function PreviewList({ preview, timezone }: { preview: CalendarPreview; timezone: string }) {
  const { messages, count, left_out: leftOut } = preview;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Box component="section" px={16} py={12} bd="1px solid var(--line)" bdrs="md" aria-label="Preview">
      <p className={prose.plain} role="status">
        {count === 0
          ? `No message within the next ${calendarSourceLimits.days} days.`
          : `${counted(count, 'message')} within the next ${calendarSourceLimits.days} days${count > messages.length ? `, the first ${messages.length}:` : ':'}`}
      </p>
      {messages.length > 0 && (
        <Flex component="ol" direction="column" gap="xs" mt={10}>
          {messages.map(({ at, title, start }) => (
            <li key={`${at} ${title} ${start}`} className={prose.lines}>
              <span className={prose.strong}>{title}</span>
              <span className={prose.note}>
                Sent on {format.format(new Date(at))}, for {start}
              </span>
            </li>
          ))}
        </Flex>
      )}
      <LeftOutList of={leftOut} />
    </Box>
  );
}
