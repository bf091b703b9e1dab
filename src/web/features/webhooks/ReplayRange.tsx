import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Replay } from '#contract/webhooks.ts';
import { useSubmit } from '#web/ui/use-submit.ts';
import classes from './webhooks.module.css';

type ReplayRangeProps = { isBusy: boolean; onReplay: (range: Extract<Replay, { from: string }>) => void };

/** Chooses a time range, in the viewer's own time, whose events are sent again. */
export function ReplayRange({ isBusy, onReplay }: ReplayRangeProps) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = useSubmit(async () => {
    const [begins, ends] = [new Date(from), new Date(to)];
    if (Number.isNaN(begins.getTime()) || Number.isNaN(ends.getTime())) return setProblem('Enter both times');
    if (begins >= ends) return setProblem('Must be after the beginning');
    onReplay({ from: begins.toISOString(), to: ends.toISOString() });
  });
  const change = (set: (text: string) => void) => (event: { currentTarget: { value: string } }) => {
    set(event.currentTarget.value);
    setProblem(null);
  };
  return (
    <details className={classes.range}>
      <summary>Send a time range again</summary>
      <form noValidate className={classes.rangeForm} onSubmit={submit}>
        <TextInput label="From" type="datetime-local" value={from} onChange={change(setFrom)} />
        <TextInput label="To" type="datetime-local" value={to} error={problem} onChange={change(setTo)} />
        <Button type="submit" variant="default" loading={isBusy}>
          Send events again
        </Button>
      </form>
    </details>
  );
}
