/** Marks a blank field; the toast explains the error. */
export const filled = (value: string): string | null => (value.trim() === '' ? 'Required' : null);

type Form = { getInputNode(field: string): HTMLElement | null };

/** Moves the focus to the first field that was refused; `errors` are in the order of the form's `validate`, which is that on the screen. */
export function focusFirst(form: Form, errors: Readonly<Record<string, unknown>>): void {
  const [first] = Object.keys(errors);
  if (first !== undefined) form.getInputNode(first)?.focus();
}
