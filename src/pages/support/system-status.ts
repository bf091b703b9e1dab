import type { HealthDay, Status } from '#contract/status.ts';
import { dayMs } from '#domain/instants.ts';
import { dayText, headlineOf, stateOf, stateOfDay, troubleText, uptimeOf } from '#domain/status-words.ts';
import { memberOf, messageIn } from '#pages/answer.ts';

const everyMs = 30_000;

/** Shows the status in the drawn page, and asks again every half minute while somebody looks. */
export function watchStatus(card: HTMLElement): void {
  card.querySelector('button')?.addEventListener('click', () => void show(card));
  void show(card);
  setInterval(() => document.visibilityState === 'visible' && void show(card), everyMs);
}

async function show(card: HTMLElement): Promise<void> {
  const problem = card.querySelector<HTMLElement>('.answer');
  const found = await readStatus();
  if (problem !== null) problem.hidden = 'status' in found;
  if ('status' in found) showFound(card, found.status);
  else {
    setHeadline(card, { state: 'unknown', text: 'The status could not be loaded' });
    setText(problem, { at: 'span', text: found.reason });
  }
}

async function readStatus(): Promise<{ status: Status } | { reason: string }> {
  try {
    const response = await fetch('/api/status');
    const answer: unknown = await response.json().catch(() => null);
    return isStatus(answer) ? { status: answer } : { reason: messageIn(answer, 'The server did not answer.') };
  } catch {
    return { reason: 'The server could not be reached.' };
  }
}

/** Checks only the outline, since the server has the same version: zod would be larger than the page, and tries to use eval. */
const isStatus = (answer: unknown): answer is Status =>
  Array.isArray(memberOf(answer, 'components')) && typeof memberOf(answer, 'checked_at') === 'string';

function showFound(card: HTMLElement, status: Status): void {
  setHeadline(card, { state: stateOf(status), text: headlineOf(status) });
  for (const { component, state, trouble, days } of status.components) {
    const row = card.querySelector<HTMLElement>(`[data-component="${component}"]`);
    if (row === null) continue;
    setText(row, { at: '.state', text: troubleText(trouble) });
    row.dataset.state = state;
    showDays(row, { days, today: status.checked_at.slice(0, 10) });
  }
}

/** Colours the drawn bars of the days, of which the last is today's. */
function showDays(row: HTMLElement, { days, today }: { days: readonly HealthDay[]; today: string }): void {
  const uptime = uptimeOf(days);
  const measured = `${uptime} uptime in ${days.length} ${days.length === 1 ? 'day' : 'days'}`;
  const name = row.querySelector('strong')?.textContent ?? '';
  const history = row.querySelector('.history');
  history?.setAttribute('aria-label', uptime === null ? `${name}: not measured yet` : `${name}: ${measured}`);
  setText(row, { at: '.uptime', text: uptime === null ? 'Not measured yet' : measured });
  const known = new Map(days.map((day) => [day.day, day]));
  const bars = [...(history?.querySelectorAll<HTMLElement>('span') ?? [])].toReversed();
  for (const [daysAgo, bar] of bars.entries()) {
    const date = new Date(Date.parse(`${today}T00:00:00Z`) - daysAgo * dayMs).toISOString().slice(0, 10);
    const day = known.get(date);
    bar.dataset.state = stateOfDay(day);
    bar.title = dayText(date, day);
  }
}

function setHeadline(card: HTMLElement, { state, text }: { state: string; text: string }): void {
  const headline = card.querySelector<HTMLElement>('.headline');
  if (headline !== null) headline.dataset.state = state;
  card.toggleAttribute('data-unknown', state === 'unknown');
  setText(headline, { at: 'h2', text });
}

/** Sets a text only if it differs, so that screen readers announce it once. */
function setText(within: HTMLElement | null, { at, text }: { at: string; text: string }): void {
  const element = within?.querySelector(at);
  if (element !== null && element !== undefined && element.textContent !== text) element.textContent = text;
}
