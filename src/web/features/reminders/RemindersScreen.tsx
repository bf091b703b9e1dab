import { IconPlus } from '@tabler/icons-react';
import { ButtonLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { ReminderDialogs } from './ReminderDialogs.tsx';
import { ReminderFilterBar } from './ReminderFilterBar.tsx';
import { AllRemindersMenu } from './pausing/AllRemindersMenu.tsx';
import { ReminderList } from './ReminderList.tsx';

/** All reminders of the workspace, with search, filters and sorting, as cards or as a table. */
export function RemindersScreen() {
  return (
    <>
      <PageHeader
        title="Reminders"
        subtitle="Manage your automated reminders and notifications"
        actions={
          <>
            <ButtonLink to="/reminders/new" leftSection={<IconPlus size={16} aria-hidden />}>
              Create Reminder
            </ButtonLink>
            <AllRemindersMenu />
          </>
        }
      />
      <ReminderFilterBar />
      <ReminderList />
      <ReminderDialogs />
    </>
  );
}
