import { createFormContext } from '@mantine/form';
import type { ReminderDraft } from './draft.ts';

/** The one place of the form's state; its tabs read and write it from here. */
export const [ReminderFormProvider, useReminderFormContext, useReminderForm] = createFormContext<ReminderDraft>();
