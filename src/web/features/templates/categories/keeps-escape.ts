/** Of what stands in a dialog and takes Escape for itself: Mantine's dialogs look for this before they close. */
export const keepsEscape = { 'data-mantine-stop-propagation': 'true' } as const;
