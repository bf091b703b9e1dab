import { focusContent } from './focus-content.ts';

let watch: MutationObserver | undefined;

/**
 * Where what has the focus goes with what it has done, such as Pause of a row, the focus goes to what is nearest of what stays: another act of
 * the row, the next row, or the content.
 */
export function keepFocusNear(element: Element): void {
  watch?.disconnect();
  const nearest = [...ancestorsOf(element)].flatMap((one) => [one, one.nextElementSibling, one.previousElementSibling]);
  const observer = new MutationObserver(() => {
    if (element.isConnected) return;
    observer.disconnect();
    if (document.activeElement !== document.body) return;
    const next = nearest.flatMap((one) => (one?.isConnected ? [...one.querySelectorAll<HTMLElement>(control)] : []))[0];
    if (next === undefined) focusContent();
    else next.focus();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  watch = observer;
}

const control = 'button:not(:disabled), a[href]';

function* ancestorsOf(element: Element): Generator<Element> {
  for (let one = element.parentElement; one !== null && one.id !== 'content'; one = one.parentElement) yield one;
}
