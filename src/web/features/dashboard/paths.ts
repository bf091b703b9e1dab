// Plain strings: a link is offered only where `useHasRoute` finds the screen.
export const allReminders: string = '/reminders';
export const newReminder: string = '/reminders/new';
export const editReminder = (id: string): string => `/reminders/${id}/edit`;
