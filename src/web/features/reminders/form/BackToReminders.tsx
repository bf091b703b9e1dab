import { IconArrowLeft } from '@tabler/icons-react';
import { TextLink } from '#web/ui/links.tsx';
import record from '#web/ui/record.module.css';

export const BackToReminders = () => (
  <TextLink to="/reminders" className={record.back} underline="hover">
    <IconArrowLeft size={16} aria-hidden />
    Back to Reminders
  </TextLink>
);
