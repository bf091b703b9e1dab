import { IconPlus } from '@tabler/icons-react';
import { useHasRoute } from '#web/app/navigation.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { newReminder } from './paths.ts';

export function NewReminderButton() {
  if (!useHasRoute()(newReminder)) return null;
  return (
    <ButtonLink to={newReminder} leftSection={<IconPlus size={16} aria-hidden />}>
      New Reminder
    </ButtonLink>
  );
}
