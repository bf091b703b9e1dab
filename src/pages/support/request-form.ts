import { fieldsIn, messageIn } from '#pages/answer.ts';

/** Sends the request, and says in the form what became of it. Whatever fails, what was typed stays. */
export async function submitRequest(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('button[type="submit"]');
  const answer = form.querySelector<HTMLElement>('.answer');
  if (button === null || answer === null || button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  clear(form, answer);
  try {
    const response = await fetch(form.dataset.supportRequest ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) thank(form, { answer, body });
    else refuse(body, { form, answer });
  } catch {
    refuse(null, { form, answer });
  } finally {
    button.ariaBusy = 'false';
  }
}

function clear(form: HTMLFormElement, answer: HTMLElement): void {
  answer.replaceChildren();
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid');
  for (const problem of form.querySelectorAll('.problem')) problem.textContent = '';
}

/** Thanks with the number of the request. The address stays, for a further request. */
function thank(form: HTMLFormElement, { answer, body }: { answer: HTMLElement; body: unknown }): void {
  const address = new FormData(form).get('email');
  form.reset();
  const input = form.querySelector<HTMLInputElement>('#email');
  if (input !== null && typeof address === 'string') input.value = address;
  const [number, hours] = [numberIn(body, 'number'), numberIn(body, 'answer_hours')];
  const promise = hours === null ? '' : `We'll get back to you within ${hours} hours.`;
  const copy = isMailed(body) ? '; you get it by mail, too' : '';
  const reference = number === null ? '' : ` Its number is ${number}${copy}.`;
  say(answer, { title: 'Support request submitted', text: `${promise}${reference}`.trim(), isBad: false });
}

function refuse(refusal: unknown, { form, answer }: { form: HTMLFormElement; answer: HTMLElement }): void {
  const wrong = fieldsIn(refusal).flatMap(({ path, message }) => {
    const input = form.querySelector<HTMLElement>(`#${CSS.escape(path)}`);
    const problem = form.querySelector(`#${CSS.escape(`${path}-problem`)}`);
    if (input === null || problem === null) return [];
    input.ariaInvalid = 'true';
    problem.textContent = message;
    return [input];
  });
  if (wrong[0] !== undefined) return wrong[0].focus();
  const reason = messageIn(refusal, 'The server could not be reached.');
  say(answer, {
    title: 'The request was not sent',
    text: `${reason} What you have written is still here.`,
    isBad: true,
  });
}

function say(answer: HTMLElement, { title, text, isBad }: { title: string; text: string; isBad: boolean }): void {
  const [strong, sentence] = [document.createElement('strong'), document.createElement('p')];
  strong.textContent = title;
  sentence.textContent = text;
  answer.toggleAttribute('data-bad', isBad);
  answer.replaceChildren(strong, sentence);
}

const isMailed = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Reflect.get(body, 'is_mailed') === true;

function numberIn(body: unknown, name: 'number' | 'answer_hours'): number | null {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : null;
  return typeof value === 'number' ? value : null;
}
