/** Marks an element that handles Escape itself: Mantine's dialogs check this attribute before they close. */
export const keepsEscape = { 'data-mantine-stop-propagation': 'true' } as const;
