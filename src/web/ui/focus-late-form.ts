/**
 * A dialog moves the focus once, when it opens. A form that is shown after it has loaded takes the focus from the
 * dialog's close button, where it then is.
 */
export function focusLateForm(form: HTMLFormElement | null): void {
  const dialog = form?.closest('[role="dialog"]');
  if (!dialog?.contains(document.activeElement)) return;
  form?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true });
}
