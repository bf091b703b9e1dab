/** Marks a blank field; the toast explains the error. */
export const filled = (value: string): string | null => (value.trim() === '' ? 'Required' : null);
