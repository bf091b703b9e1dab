import { rhythmInWords } from './cadence.ts';
import { quoted } from './line.ts';
import type { SaidSchedule } from './said-schedule.ts';
import { timesInWords } from './times.ts';
import type { Part } from './understood.ts';

/** The parts of the schedule, each with its position and meaning. */
export function schedulePartsOf(said: SaidSchedule): Part[] {
  const { event, rhythm, date, times, zone, start, end } = said;
  const parts: (Part | null)[] = [
    event && { kind: 'event', from: event.from, to: event.to, wording: event.wording },
    rhythm && { kind: 'rhythm', from: rhythm.from, to: rhythm.to, wording: rhythmInWords(rhythm.said, rhythm.window) },
    date && { kind: 'date', from: date.from, to: date.to, wording: date.words.trim() },
    times && times.times.length > 0
      ? { kind: 'time', from: times.from, to: times.to, wording: timesInWords(times.times) }
      : null,
    zone && { kind: 'zone', from: zone.from, to: zone.to, wording: zone.zone },
    start && { kind: 'start', from: start.from, to: start.to, wording: `from ${quoted(start.words)}` },
    end && { kind: 'end', from: end.from, to: end.to, wording: `until the end of ${quoted(end.words)}` },
  ];
  return parts.filter((part) => part !== null);
}
