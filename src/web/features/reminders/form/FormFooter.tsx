import { Button, Checkbox, Loader } from '@mantine/core';
import { ButtonLink } from '#web/ui/links.tsx';
import { DraftReach } from './DraftReach.tsx';
import { useReminderFormContext } from './form-context.ts';
import classes from './ReminderForm.module.css';

export function FormFooter({ isNew, isSaving }: { isNew: boolean; isSaving: boolean }) {
  const form = useReminderFormContext();
  return (
    <footer className={classes.footer}>
      <div className={classes.reach}>
        <DraftReach label="Who gets it" />
      </div>
      <Checkbox
        label="Start reminder immediately after creation"
        description={form.values.isActive ? undefined : 'Saved as a draft: nothing is sent until you resume it.'}
        {...form.getInputProps('isActive', { type: 'checkbox' })}
      />
      <div className={classes.buttons}>
        <ButtonLink to="/reminders" variant="default">
          Cancel
        </ButtonLink>
        <Button type="submit" disabled={isSaving} leftSection={isSaving && <Loader size={14} color="currentColor" />}>
          {submitWord(isNew, isSaving)}
        </Button>
      </div>
    </footer>
  );
}

function submitWord(isNew: boolean, isSaving: boolean): string {
  if (isNew) return isSaving ? 'Creating...' : 'Create Reminder';
  return isSaving ? 'Updating...' : 'Update Reminder';
}
