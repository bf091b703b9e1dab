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
    } else say(answer, { text: messageIn(await response.json().catch(() => null)), isBad: true });
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

/** The reason that the API gives, of a field first. */
export function messageIn(answer: unknown, otherwise = failed): string {
  const error = memberOf(answer, 'error');
  const fields = memberOf(error, 'fields');
  const text = memberOf(Array.isArray(fields) ? fields[0] : null, 'message') ?? memberOf(error, 'message');
  return typeof text === 'string' ? text : otherwise;
}

const memberOf = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
