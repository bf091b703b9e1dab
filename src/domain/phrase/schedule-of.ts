import type { ScheduleConfig } from '#contract/schedules.ts';
import { quoted } from './line.ts';
import { scheduleOnce } from './schedule-once.ts';
import { scheduleRhythm } from './schedule-rhythm.ts';
import { type Asked, type Scheduled, remarkAt } from './scheduled.ts';
import type { SaidEvent } from './pieces.ts';

/** Combines what was said into a schedule. No schedule when nothing gives a time, or when a part of it is impossible. */
export function scheduleOf({ said, now, zone }: Asked): Scheduled {
  const nothing = { schedule: null, notes: [], problems: [] };
  // No schedule is better than one at another time than was meant.
  if (said.problems.length > 0) return nothing;
  if (said.event !== null) return scheduleEvent(said.event, { said, now, zone });
  if (said.rhythm !== null) return scheduleRhythm(said.rhythm, { said, now, zone });
  return said.date === null && said.times === null ? nothing : scheduleOnce({ said, now, zone });
}

function scheduleEvent({ eventTrigger, delayAmount, delayUnit, wording }: SaidEvent, { said, zone }: Asked): Scheduled {
  const others = [said.rhythm, said.date, said.times, said.start, said.end].filter((one) => one !== null);
  const problems = others.map((one) =>
    remarkAt(one, `The event decides when it is sent: leave out ${quoted(one.words)}`),
  );
  const config: ScheduleConfig = { type: 'event-based', eventTrigger, delayAmount, delayUnit, timezone: zone };
  return { schedule: problems.length > 0 ? null : { config, wording }, notes: [], problems };
}
