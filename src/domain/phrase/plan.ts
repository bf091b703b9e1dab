import type { ScheduleConfig } from '#contract/schedules.ts';
import { quoted } from './line.ts';
import { planOnce } from './plan-once.ts';
import { planRhythm } from './plan-rhythm.ts';
import { type Asked, type Planned, remarkAt } from './planned.ts';
import type { SaidEvent } from './pieces.ts';

/** Combines what was said into a plan. No plan when nothing gives a time, or when a part of it is impossible. */
export function planOf({ said, now, zone }: Asked): Planned {
  const nothing = { plan: null, notes: [], problems: [] };
  // A plan at another time than was said would be worse than none.
  if (said.problems.length > 0) return nothing;
  if (said.event !== null) return planEvent(said.event, { said, now, zone });
  if (said.rhythm !== null) return planRhythm(said.rhythm, { said, now, zone });
  return said.date === null && said.times === null ? nothing : planOnce({ said, now, zone });
}

function planEvent({ eventTrigger, delayAmount, delayUnit, wording }: SaidEvent, { said, zone }: Asked): Planned {
  const others = [said.rhythm, said.date, said.times, said.start, said.end].filter((one) => one !== null);
  const problems = others.map((one) =>
    remarkAt(one, `The event decides when it is sent: leave out ${quoted(one.words)}`),
  );
  const config: ScheduleConfig = { type: 'event-based', eventTrigger, delayAmount, delayUnit, timezone: zone };
  return { plan: problems.length > 0 ? null : { config, wording }, notes: [], problems };
}
