import { IconArrowLeft } from '@tabler/icons-react';
import { TextLink } from '#web/ui/links.tsx';
import classes from './ReminderForm.module.css';

export const BackToReminders = () => (
  <TextLink to="/reminders" className={classes.back} underline="hover">
    <IconArrowLeft size={16} aria-hidden />
    Back to Reminders
  </TextLink>
);
