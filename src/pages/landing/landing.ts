// What the landing page does beyond its links: dialogs, the request for a demo, and the line that is read as it is typed.
import { messageIn } from '#pages/answer.ts';
import { say, submitRequest } from './demo-request-form.ts';

for (const opener of document.querySelectorAll<HTMLElement>('[data-opens]'))
  opener.addEventListener('click', (event) => {
    const dialog = document.getElementById(opener.dataset.opens ?? '');
    if (!(dialog instanceof HTMLDialogElement)) return;
    event.preventDefault();
    dialog.showModal();
  });

// A click beside a dialog closes it.
for (const dialog of document.querySelectorAll('dialog'))
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-request]'))
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submitRequest(form);
  });

for (const link of document.querySelectorAll<HTMLElement>('[data-begins]'))
  link.addEventListener('click', (event) => {
    event.preventDefault();
    void beginDemo(link);
  });

// Leads to the line and puts the cursor into it.
for (const link of document.querySelectorAll('a[href="#line"]'))
  link.addEventListener('click', () => document.getElementById('line')?.focus({ preventScroll: true }));

const card = document.querySelector<HTMLElement>('[data-line]');
if (card !== null) whenSeen(card, () => void import('./line/live-line.ts').then(({ makeLive }) => makeLive(card)));

/** Runs the work when the element comes into view or gets the focus: on a phone the card is far down. */
function whenSeen(element: HTMLElement, work: () => void): void {
  const begin = () => {
    observer.disconnect();
    element.removeEventListener('focusin', begin);
    work();
  };
  const isSeen = (entries: IntersectionObserverEntry[]) => entries.some(({ isIntersecting }) => isIntersecting);
  const observer = new IntersectionObserver((entries) => isSeen(entries) && begin(), { rootMargin: '0px 0px -50%' });
  observer.observe(element);
  element.addEventListener('focusin', begin);
}

const failed = 'The demo could not be opened. Please try again.';

/** Opens a demo of the visitor's own, with their timezone; where that is refused, the page says why. */
async function beginDemo(link: HTMLElement): Promise<void> {
  const answer = document.getElementById('demo-answer');
  if (answer === null || link.ariaBusy === 'true') return;
  link.ariaBusy = 'true';
  say(answer, { text: 'Your demo is being prepared…', isBad: false });
  try {
    const response = await fetch(link.dataset.begins ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    });
    if (response.ok) location.assign('/dashboard');
    else say(answer, { text: messageIn(await response.json().catch(() => null), failed), isBad: true });
  } catch {
    say(answer, { text: failed, isBad: true });
  } finally {
    link.ariaBusy = 'false';
  }
}
