/** Calls back when the heading is rendered: screens load lazily, and some headings wait for their data. */
export function whenHeadingIsThere(found: (heading: HTMLElement) => void): () => void {
  const look = () => {
    const heading = document.querySelector('h1');
    if (!(heading instanceof HTMLElement)) return false;
    // The screen sets the tab's title after it renders.
    setTimeout(() => found(heading));
    return true;
  };
  if (look()) return () => {};
  const watch = new MutationObserver(() => look() && watch.disconnect());
  watch.observe(document.body, { childList: true, subtree: true });
  return () => watch.disconnect();
}

/** Moves the focus to the heading, unless the screen has focused an input of its own. */
export function focusHeading(heading: HTMLElement): void {
  if (document.querySelector('main')?.contains(document.activeElement)) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
