import { calendarSourceLimits as limits } from '#contract/calendar-sources.ts';

/** Thrown for a file that is not read; the message says why. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
}

const deepest = 4;
const longestLine = 200_000;

/** Refuses a file that is no calendar or has too much in it, in one pass over its lines, before it is parsed. */
export function assertBounded(text: string): void {
  if (!/^\s*BEGIN:VCALENDAR/i.test(text.slice(0, 200)))
    throw new RefusedFile('This is not a calendar (an iCalendar file).');
  let [lines, components, depth, length] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const next = end === -1 ? text.length : end;
    const isFolded = text[at] === ' ' || text[at] === '\t';
    length = (isFolded ? length : 0) + next - at;
    lines += 1;
    if (length > longestLine) throw new RefusedFile('The calendar has a line that is too long.');
    if (lines > limits.lines) throw new RefusedFile(tooMuch('lines', limits.lines));
    const begins = text.slice(at, at + 6).toUpperCase();
    if (begins === 'BEGIN:') {
      components += 1;
      depth += 1;
    } else if (begins.startsWith('END:')) depth -= 1;
    if (components > limits.components) throw new RefusedFile(tooMuch('events', limits.components));
    if (depth > deepest) throw new RefusedFile('The calendar is nested too deeply.');
    at = next + 1;
  }
}

const tooMuch = (what: string, most: number) => `The calendar has more than ${most.toLocaleString('en')} ${what}.`;
