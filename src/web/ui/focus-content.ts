/** Moves the focus to the screen's own part, where the element that had it is about to go. */
export function focusContent(): void {
  document.getElementById('content')?.focus();
}
