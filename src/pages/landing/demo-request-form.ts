import { messageIn } from '#pages/answer.ts';

const failed = 'Your request could not be sent. Please try again.';

/** Sends the request for a demo, and says in the form what became of it. */
export async function submitRequest(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]');
  const answer = form.querySelector<HTMLElement>('.answer');
  if (button === null || answer === null || button.disabled) return;
  button.disabled = true;
  try {
    const response = await fetch(form.dataset.request ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    });
    if (response.ok) {
      form.reset();
      say(answer, { text: 'Thank you. Your request has arrived; you get an answer by mail.', isBad: false });
    } else say(answer, { text: messageIn(await response.json().catch(() => null), failed), isBad: true });
  } catch {
    say(answer, { text: failed, isBad: true });
  } finally {
    button.disabled = false;
  }
}

export function say(answer: HTMLElement, { text, isBad }: { text: string; isBad: boolean }): void {
  answer.textContent = text;
  answer.toggleAttribute('data-bad', isBad);
  answer.hidden = false;
}
