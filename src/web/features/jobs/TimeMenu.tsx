import { TextInput } from '@mantine/core';
import type { JobTime } from '#web/api/job-filter.ts';
import classes from './PhraseMenu.module.css';
import { PhraseMenu } from './PhraseMenu.tsx';
import { timeWords } from './job-words.ts';
import { useJobsSearch } from './jobs-search.ts';

type TimeMenuProps<Time extends JobTime> = {
  times: readonly Time[];
  value: Time | undefined;
  onChoose: (time: Time | undefined) => void;
};

/** A time in the sentence of a filter; for any days, with their first and last one. */
export function TimeMenu<Time extends JobTime>({ times, value, onChoose }: TimeMenuProps<Time>) {
  const choices = (['all', ...times] as const).map((time) => ({ value: time, ...timeWords[time] }));
  return (
    <>
      {timeWords[value ?? 'all'].before}
      <PhraseMenu
        label="Time"
        choices={choices}
        value={value ?? 'all'}
        onChoose={(chosen) => onChoose(times.find((time) => time === chosen))}
      />
      {value === 'dates' && <Days />}
    </>
  );
}

function Days() {
  const { from = '', to = '', change } = useJobsSearch();
  const day = (text: string) => text || undefined;
  return (
    <>
      <TextInput
        className={classes.day}
        type="date"
        aria-label="First day"
        max={to || '8999-12-31'}
        value={from}
        onChange={({ currentTarget }) => change({ from: day(currentTarget.value) }, { replace: true })}
      />
      to
      <TextInput
        className={classes.day}
        type="date"
        aria-label="Last day"
        min={from || '1970-01-01'}
        max="8999-12-31"
        value={to}
        onChange={({ currentTarget }) => change({ to: day(currentTarget.value) }, { replace: true })}
      />
    </>
  );
}
