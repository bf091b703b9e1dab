/** Moves the focus to the main content when the focused element is about to be removed. */
export function focusContent(): void {
  document.getElementById('content')?.focus();
}
