import { Skeleton, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useReminder } from '#web/api/reminders.ts';

const HookSection = lazy(() => import('#web/features/hooks/HookSection.tsx'));

/** The hook of the reminder that is edited; one that is not saved with this trigger has none yet. */
export function HookOfForm() {
  const { id } = useParams({ strict: false });
  const { data: saved } = useReminder(id);
  if (saved?.schedule_config.eventTrigger !== 'custom_webhook')
    return (
      <Text size="sm" c="dimmed">
        The address that other systems call is shown here and on the page of the reminder once it is saved.
      </Text>
    );
  return (
    <Suspense fallback={<Skeleton height={360} radius="md" />}>
      <HookSection reminder={saved} />
    </Suspense>
  );
}
