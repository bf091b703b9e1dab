import { Box, Input, Select, Text, TextInput, UnstyledButton } from '@mantine/core';
import { TimePicker } from '@mantine/dates';
import { useDebouncedValue } from '@mantine/hooks';
import { useId, useState } from 'react';
import { useReminderFormContext } from '#web/features/reminders/form/form-context.ts';
import { NumberField } from '#web/ui/NumberField.tsx';
import {
  dayChoices,
  hourChoices,
  kindChoices,
  leftOut,
  minuteChoices,
  nthChoices,
  startOf,
  timeOf,
  weekdays,
} from './cron-choices.ts';
import { cronOf, type CronRhythm, cronProblem, rhythmOf } from './cron-rhythm.ts';
import classes from './CronFields.module.css';

const typingPauseMs = 300;

/** The cron expression, validated when the user stops typing, and the choices that build it. */
export function CronFields({ error }: { error: string | null }) {
  const form = useReminderFormContext();
  const cron = form.getInputProps('schedule_config.customCron');
  const { customCron, startDate } = form.values.schedule_config;
  const [settled] = useDebouncedValue(customCron, typingPauseMs);
  const problem = settled === customCron ? cronProblem(customCron) : null;
  return (
    <>
      <TextInput
        label="Cron expression"
        description={'Use standard cron syntax. Example: "0 9 * * MON" for every Monday at 9 AM'}
        placeholder="0 9 * * MON"
        classNames={{ input: 'mono' }}
        spellCheck={false}
        autoComplete="off"
        {...cron}
        error={cron.error ?? problem ?? error}
      />
      <CronBuilder
        expression={customCron}
        usualTime={startDate?.slice(11, 16) ?? '09:00'}
        onChange={(expression) => form.setFieldValue('schedule_config.customCron', expression)}
      />
    </>
  );
}

type CronBuilderProps = {
  expression: string;
  /** `HH:mm`, used until a time is chosen. */
  usualTime: string;
  onChange: (expression: string) => void;
};

/** Builds the cron expression from choices, and shows a typed one as choices when they can express it. */
function CronBuilder({ expression, usualTime, onChange }: CronBuilderProps) {
  const rhythm = rhythmOf(expression);
  const kind = rhythm === null ? null : kindOf(rhythm);
  const choose = (next: CronRhythm) => onChange(cronOf(next));
  const time = timeOf(rhythm) ?? usualTime;
  return (
    <div className={classes.builder} role="group" aria-label="Build the expression">
      <Select
        flex="1 1 100%"
        label="Or choose how often"
        placeholder={expression.trim() === '' ? 'Choose' : 'As written above'}
        data={kindChoices}
        allowDeselect={false}
        value={kind}
        onChange={(chosen) => {
          const next = chosen === null ? null : startOf(chosen, time);
          if (next !== null) choose(next);
        }}
      />
      {rhythm && <RhythmFields rhythm={rhythm} onChange={choose} />}
    </div>
  );
}

type RhythmFieldsProps<Rhythm = CronRhythm> = { rhythm: Rhythm; onChange: (rhythm: CronRhythm) => void };

function RhythmFields({ rhythm, onChange }: RhythmFieldsProps) {
  const note = leftOut(rhythm);
  return (
    <>
      <StepFields rhythm={rhythm} onChange={onChange} />
      {'time' in rhythm && (
        <TimePicker
          label="Time"
          hoursInputLabel="Hours"
          minutesInputLabel="Minutes"
          value={rhythm.time}
          // A partly typed time is ignored.
          onChange={(time) => {
            if (/^\d\d:\d\d/.test(time)) onChange({ ...rhythm, time: time.slice(0, 5) });
          }}
        />
      )}
      {note && (
        <Text flex="1 1 100%" fz={13} c="dimmed">
          {note}
        </Text>
      )}
    </>
  );
}

/** What is typed stays; the rhythm keeps its minute while that is none. */
function Minute({ value, onChange }: { value: number; onChange: (minute: number) => void }) {
  const [typed, setTyped] = useState<number | string>(value);
  return (
    <NumberField
      label="At minute"
      className={classes.minute}
      isWhole
      min={0}
      max={59}
      value={typeof typed === 'string' || typed > 59 || typed < 0 ? typed : value}
      onChange={(minute) => {
        setTyped(minute);
        if (typeof minute === 'number' && minute >= 0 && minute <= 59) onChange(minute);
      }}
      error={typed === '' ? 'must be from 0 to 59' : undefined}
    />
  );
}

function StepFields({ rhythm, onChange }: RhythmFieldsProps) {
  switch (rhythm.every) {
    case 'minutes':
      return (
        <Choice
          label="Every"
          data={minuteChoices}
          value={rhythm.step}
          onChoose={(step) => onChange({ ...rhythm, step: Number(step) })}
        />
      );
    case 'hours':
      return (
        <>
          <Choice
            label="Every"
            data={hourChoices}
            value={rhythm.step}
            onChoose={(step) => onChange({ ...rhythm, step: Number(step) })}
          />
          <Minute value={rhythm.minute} onChange={(minute) => onChange({ ...rhythm, minute })} />
        </>
      );
    case 'day':
      return null;
    case 'week':
      return <Weekdays chosen={rhythm.weekdays} onChange={(chosen) => onChange({ ...rhythm, weekdays: chosen })} />;
    case 'month':
      return (
        <Choice
          label="Day"
          data={dayChoices}
          value={rhythm.day}
          onChoose={(day) => onChange({ ...rhythm, day: day === 'last' ? day : Number(day) })}
        />
      );
    case 'nth':
      return (
        <>
          <Choice
            label="Week of the month"
            data={nthChoices}
            value={rhythm.nth}
            onChoose={(nth) => onChange({ ...rhythm, nth: nth === 'last' ? nth : Number(nth) })}
          />
          <Choice
            label="Weekday"
            data={weekdays.map(({ day, name }) => ({ value: String(day), label: name }))}
            value={rhythm.weekday}
            onChoose={(weekday) => onChange({ ...rhythm, weekday: Number(weekday) })}
          />
        </>
      );
    default:
      return rhythm satisfies never;
  }
}

type ChoiceProps = {
  label: string;
  data: { value: string; label: string }[];
  value: number | string;
  onChoose: (value: string) => void;
};

const Choice = ({ label, data, value, onChoose }: ChoiceProps) => (
  <Select
    label={label}
    flex="1 1 110px"
    maw={200}
    data={data}
    allowDeselect={false}
    value={String(value)}
    onChange={(chosen) => {
      if (chosen !== null) onChoose(chosen);
    }}
  />
);

/** Seven buttons, Sunday first; at least one stays pressed. */
function Weekdays({ chosen, onChange }: { chosen: readonly number[]; onChange: (days: number[]) => void }) {
  const id = useId();
  return (
    <Box flex="1 1 100%" role="group" aria-labelledby={id}>
      <Input.Label id={id} component="div">
        On
      </Input.Label>
      <div className={classes.days}>
        {weekdays.map(({ day, name }) => {
          const isChosen = chosen.includes(day);
          const next = isChosen ? chosen.filter((one) => one !== day) : [...chosen, day];
          return (
            <UnstyledButton
              key={day}
              className={classes.day}
              aria-pressed={isChosen}
              onClick={() => {
                if (next.length > 0) onChange(next);
              }}
            >
              {name}
            </UnstyledButton>
          );
        })}
      </div>
    </Box>
  );
}

const kindOf = (rhythm: CronRhythm): string =>
  rhythm.every === 'week' && rhythm.weekdays.join() === '1,2,3,4,5' ? 'weekdays' : rhythm.every;
