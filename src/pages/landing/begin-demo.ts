import { messageIn } from '#pages/answer.ts';
import { say } from './demo-request-form.ts';

const failed = 'The demo could not be opened. Please try again.';

/** Opens a demo of the visitor's own, with their time zone; where that is refused, the page says why. */
export async function beginDemo(link: HTMLElement): Promise<void> {
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
