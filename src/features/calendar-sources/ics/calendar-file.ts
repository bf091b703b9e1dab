import ICAL from 'ical.js';
import { RefusedFile } from './bounds.ts';

/** One calendar of a file. An event whose lines cannot be read is `broken`, and takes no other with it. */
export type ReadCalendar = { calendar: ICAL.Component; events: ICAL.Component[]; broken: { title: string }[] };

/**
 * Under these names the parser keeps the text of a rule as it is. It would refuse the whole file for a rule that it does not know; we read them
 * ourselves (`domain/recurrence`).
 */
export const ruleNames = { rrule: 'x-text-of-rrule', exrule: 'x-text-of-exrule' } as const;

/** Parses a file event by event. Throws RefusedFile where what is around the events cannot be read. */
export function calendarsIn(text: string): ReadCalendar[] {
  return partsOf(text).flatMap(({ around, events }) => {
    const calendar = componentIn(around);
    if (calendar.name !== 'vcalendar') return [];
    const read: ReadCalendar = { calendar, events: [], broken: [] };
    for (const lines of events) {
      try {
        const event = componentIn(lines);
        calendar.addSubcomponent(event);
        read.events.push(event);
      } catch (error) {
        if (!(error instanceof RefusedFile)) throw error;
        read.broken.push({ title: titleIn(lines) });
      }
    }
    return [read];
  });
}

type Part = { around: string[]; events: string[][] };

/**
 * The lines of each calendar, with those of its events apart. An event that another begins in, or the calendar ends in, is not whole. Events behind
 * the end of a calendar count as its own; what else is there does not count.
 */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let event: string[] | null = null;
  let isOpen = false;
  for (const line of unfolded(text)) {
    const mark = /^(BEGIN|END):(VCALENDAR|VEVENT)\s*$/i.exec(line)?.[0].trim().toUpperCase();
    if (mark === 'BEGIN:VCALENDAR') {
      parts.push({ around: [], events: [] });
      isOpen = true;
    }
    const part = parts.at(-1);
    if (part === undefined) {
      if (line.trim() !== '') throw new RefusedFile('This is not a calendar (an iCalendar file).');
      continue;
    }
    if (mark === 'BEGIN:VEVENT') part.events.push((event = []));
    if (mark === 'END:VCALENDAR') event = null;
    if (event !== null) event.push(line);
    else if (isOpen) part.around.push(line);
    if (mark === 'END:VEVENT') event = null;
    if (mark === 'END:VCALENDAR') isOpen = false;
  }
  return parts;
}

/** RFC 5545, section 3.1: a line break before a blank is none. */
const unfolded = (text: string) =>
  text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/);

function componentIn(lines: readonly string[]): ICAL.Component {
  const text = lines
    .map((line) =>
      withMarkedDays(line).replace(
        /^(?:rrule|exrule)(?=[;:])/i,
        (name) => ruleNames[/^r/i.test(name) ? 'rrule' : 'exrule'],
      ),
    )
    .join('\r\n');
  try {
    const parsed: unknown = ICAL.parse(text);
    if (!Array.isArray(parsed) || typeof parsed[0] !== 'string') throw new Error('it has another form');
    return new ICAL.Component(parsed);
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 200) : 'it has another form';
    throw new RefusedFile(`The calendar cannot be read: ${detail}`);
  }
}

/** `DTSTART:20270401` is a day, although the standard wants `VALUE=DATE` there. */
const withMarkedDays = (line: string) =>
  /^(?:DTSTART|DTEND|EXDATE|RDATE|RECURRENCE-ID)[;:]/i.test(line) &&
  /:\d{8}(?:,\d{8})*\s*$/.test(line) &&
  !/;VALUE=/i.test(line)
    ? line.replace(/[;:]/, ';VALUE=DATE$&')
    : line;

const titleIn = (lines: readonly string[]) =>
  (lines.find((line) => /^SUMMARY[:;]/i.test(line)) ?? '')
    .replace(/^[^:]*:/, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, 200)
    .toWellFormed()
    .trim() || 'Event without a title';
