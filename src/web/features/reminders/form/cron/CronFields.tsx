import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useReminderFormContext } from '#web/features/reminders/form/form-context.ts';
import { CronBuilder } from './CronBuilder.tsx';
import { cronProblem } from './cron-plan.ts';

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
