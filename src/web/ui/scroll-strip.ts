/**
 * Scrolls a strip sideways until this part of it is seen, with the scroll padding of the strip beside it. The page stays where it is:
 * `scrollIntoView` would scroll that, too.
 */
export function scrollStripTo(strip: HTMLElement | null, part: string): void {
  const shown = strip?.querySelector(part)?.getBoundingClientRect();
  if (!strip || !shown) return;
  const beside = Number.parseFloat(getComputedStyle(strip).scrollPaddingInlineStart) || 0;
  const { left, right } = strip.getBoundingClientRect();
  if (shown.left < left + beside) strip.scrollLeft += shown.left - left - beside;
  else if (shown.right > right - beside) strip.scrollLeft += shown.right - right + beside;
}
