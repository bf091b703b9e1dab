/** Marks a blank field; the toast says what to do about it. */
export const filled = (value: string): string | null => (value.trim() === '' ? 'Required' : null);
