import { lazy, Suspense } from 'react';
import type { JobTime } from '#web/api/job-filter.ts';
import { PhraseMenu } from './PhraseMenu.tsx';
import { timeWords } from './job-words.ts';

const Days = lazy(() => import('./Days.tsx'));

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
      {value === 'dates' && (
        <Suspense>
          <Days />
        </Suspense>
      )}
    </>
  );
}
