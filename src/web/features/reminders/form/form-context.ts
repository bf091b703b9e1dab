import { createFormContext } from '@mantine/form';
import type { ReminderDraft } from './draft.ts';

/** The state of the form, shared by its tabs. */
export const [ReminderFormProvider, useReminderFormContext, useReminderForm] = createFormContext<ReminderDraft>();
