import { Card, Skeleton, Stack } from '@mantine/core';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { BackToReminders } from './BackToReminders.tsx';
import classes from './ReminderForm.module.css';

/** The placeholder of the form while the reminder loads. */
export function LoadingReminder() {
  return (
    <div className={classes.page}>
      <PageHeader
        title="Loading..."
        subtitle={<Skeleton component="span" width={220} height={20} display="block" />}
        above={<BackToReminders />}
      />
      <Card aria-hidden padding={0}>
        <div className={classes.panel}>
          <Stack gap={24}>
            {[1, 2, 3].map((field) => (
              <div key={field}>
                <Skeleton height={12} width={96} mb={8} />
                <Skeleton height={36} />
              </div>
            ))}
          </Stack>
        </div>
      </Card>
    </div>
  );
}
