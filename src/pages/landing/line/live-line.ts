import { returnPathKey } from '#contract/return-path-key.ts';
import type { LineReading } from './reading.ts';

const typingPauseMs = 250;

/** Makes the drawn card of a line live: it reads what is typed, in the visitor's zone. Nothing is sent. */
export function makeLive(card: HTMLElement): void {
  const input = card.querySelector('textarea');
  if (input === null) return;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const read = async () => {
    const { readLine } = await loadReader();
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    show(card, readLine(input.value, { now: Temporal.Now.instant(), timezone }));
  };
  input.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(() => void read(), typingPauseMs);
  });
  for (const example of card.querySelectorAll<HTMLElement>('[data-example]'))
    example.addEventListener('click', () => {
      [input.value, example.textContent] = [example.textContent, input.value];
      input.focus({ preventScroll: true });
      void read();
    });
  card.addEventListener('submit', (event) => {
    event.preventDefault();
    setUp(input.value.trim());
  });
  void read();
}

/** Leads to the sign-up, and from there, or at once with a session, to the form with this line. */
function setUp(line: string): void {
  try {
    // In every tab: a verification mail may open another one.
    if (line !== '') localStorage.setItem(returnPathKey, `/reminders/new?${new URLSearchParams({ line })}`);
  } catch {
    // Without storage the line is typed again.
  }
  window.location.assign('/auth?tab=sign-up');
}

/** The rules of the form, with a Temporal polyfill where the browser needs one. */
async function loadReader() {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  return import('./reading.ts');
}

function show(card: HTMLElement, { rows, times, remarks }: LineReading): void {
  card.querySelector('[data-reading]')?.replaceChildren(
    ...rows.map(({ label, text }) => {
      const row = document.createElement('div');
      row.append(element('dt', label), element('dd', text));
      return row;
    }),
  );
  const slots = card.querySelectorAll('[data-times] li');
  for (const [index, slot] of slots.entries()) slot.textContent = times[index] ?? ' ';
  card.querySelector('[data-when]')?.toggleAttribute('hidden', times.length === 0);
  const list = card.querySelector<HTMLElement>('[data-remarks]');
  list?.replaceChildren(...remarks.map((text) => element('li', text)));
  list?.toggleAttribute('hidden', remarks.length === 0);
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
