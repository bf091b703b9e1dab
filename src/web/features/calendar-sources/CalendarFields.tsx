import { Box, Button, FileButton, Group, Input, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconUpload, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { type CalendarSource, calendarSourceLimits as limits } from '#contract/calendar-sources.ts';
import { delayUnits } from '#contract/schedules.ts';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { zoneChoices } from '#web/features/reminders/form/zones.ts';
import { NumberField } from '#web/ui/NumberField.tsx';
import { textOfFile } from '#web/ui/text-of-file.ts';
import type { CalendarDraft } from './calendar-draft.ts';
import prose from '#web/ui/prose.module.css';
import classes from './calendar-sources.module.css';
import { TimeInput } from '#web/ui/pickers/TimeInput.tsx';

type Props = {
  draft: CalendarDraft;
  errors: Readonly<Record<string, string>>;
  source: CalendarSource | null;
  onChange: (changes: Partial<CalendarDraft>) => void;
};

/** Where the calendar is, and when its messages are sent. */
export function CalendarFields({ draft, errors, source, onChange }: Props) {
  const [zones] = useState(() => zoneChoices(new Date(), [viewerZone(), draft.timezone]));
  return (
    <>
      <TextInput
        label="Name"
        withAsterisk
        placeholder="Team calendar"
        maxLength={100}
        value={draft.name}
        error={errors.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        data-autofocus
      />
      <Origin draft={draft} errors={errors} source={source} onChange={onChange} />
      <Offsets draft={draft} errors={errors} onChange={onChange} />
      <div className={classes.pair}>
        <Select
          label="Timezone"
          description="Of events that name none, and of days before."
          data={zones}
          searchable
          allowDeselect={false}
          nothingFoundMessage="No timezone found"
          maxDropdownHeight={240}
          value={draft.timezone}
          error={errors.timezone}
          onChange={(timezone) => timezone !== null && onChange({ timezone })}
        />
        <TimeInput
          label="All-day events begin at"
          description="The times before them count from then."
          value={draft.allDayTime}
          error={errors.all_day_time}
          onChange={(allDayTime) => onChange({ allDayTime })}
        />
      </div>
    </>
  );
}

function Origin({ draft, errors, source, onChange }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (file: File | null) => {
    if (file === null) return;
    if (file.size > limits.fileBytes) return setProblem('The file is larger than 1 MB');
    setProblem(null);
    onChange({ file: { name: file.name.slice(0, 200), text: await textOfFile(file) }, url: '' });
  };
  return (
    <Stack gap={8}>
      <TextInput
        label="Address"
        type="url"
        description={
          source === null
            ? 'Of an iCalendar feed, read again every hour. It is kept secret.'
            : `Empty: ${source.host === null ? `the file ${source.file_name ?? ''} stays` : `the address at ${source.host} stays`}.`
        }
        placeholder="https://calendar.example.com/team.ics"
        maxLength={2000}
        value={draft.url}
        error={errors.url}
        onChange={(event) => onChange({ url: event.currentTarget.value, file: null })}
      />
      <Group gap={8}>
        <FileButton accept=".ics,.ical,text/calendar" onChange={(file) => void take(file)}>
          {(props) => (
            <SmallButton icon={IconUpload} {...props}>
              {draft.file === null ? 'Or choose a file' : 'Choose another file'}
            </SmallButton>
          )}
        </FileButton>
        {draft.file !== null && <span className={prose.note}>{draft.file.name}</span>}
      </Group>
      {(problem !== null || errors.file !== undefined || errors['file.text'] !== undefined) && (
        <Input.Error role="alert">{problem ?? errors.file ?? errors['file.text']}</Input.Error>
      )}
    </Stack>
  );
}

const units = delayUnits.map((value) => ({ value, label: `${value} before` }));

function Offsets({ draft: { offsets }, errors, onChange }: Omit<Props, 'source'>) {
  const set = (at: number, changes: Partial<CalendarDraft['offsets'][number]>) =>
    onChange({ offsets: offsets.map((offset, index) => (index === at ? { ...offset, ...changes } : offset)) });
  return (
    <fieldset className={prose.fieldset}>
      <Box component="legend" mb={4}>
        Send
      </Box>
      {offsets.map((offset, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a time is its position
        <Group key={at} w="100%" gap={8} wrap="nowrap" align="flex-start">
          <NumberField
            aria-label={`Time ${at + 1}: how many`}
            min={0}
            flex="0 1 110px"
            value={offset.amount}
            error={errors[`offsets.${at}.amount`]}
            onChange={(amount) => set(at, { amount })}
          />
          <Select
            aria-label={`Time ${at + 1}: unit`}
            data={units}
            allowDeselect={false}
            flex="1 1 140px"
            value={offset.unit}
            onChange={(value) => {
              const unit = delayUnits.find((known) => known === value);
              if (unit) set(at, { unit });
            }}
          />
          {offsets.length > 1 && (
            <Button
              variant="default"
              px={10}
              aria-label={`Remove time ${at + 1}`}
              onClick={() => onChange({ offsets: offsets.filter((_, index) => index !== at) })}
            >
              <IconX size={16} aria-hidden />
            </Button>
          )}
        </Group>
      ))}
      {errors.offsets !== undefined && <Input.Error role="alert">{errors.offsets}</Input.Error>}
      {offsets.length < limits.offsets && (
        <SmallButton icon={IconPlus} onClick={() => onChange({ offsets: [...offsets, { amount: 1, unit: 'hours' }] })}>
          Another time
        </SmallButton>
      )}
    </fieldset>
  );
}
