import type { HttpAnswer } from '#platform/outbound/http.ts';
import type { Random } from '#testing/simulation/random.ts';

/** What becomes of one request: whether the other side acts on it, when and what it answers. */
export type Fate = { mode: Mode; isAccepted: boolean; latencyMs: number; answer: HttpAnswer };

const modes = [
  'answers',
  'is slow',
  'refuses',
  'is busy',
  'is down',
  'cannot be reached',
  'loses its answer',
  'loses the request',
  'hangs',
] as const;
type Mode = (typeof modes)[number];

export type Weather = {
  fateAt(destination: string): Fate;
  /** From now on everybody answers. */
  clear(): void;
};

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** Every destination has its own weather, which lasts for a while. @param storm in [0, 1] */
export function createWeather({
  random,
  storm,
  nowMs,
}: {
  random: Random;
  storm: number;
  nowMs: () => number;
}): Weather {
  const spells = new Map<string, { mode: Mode | 'changes with each'; untilMs: number }>();
  let isClear = false;

  function modeAt(destination: string): Mode {
    if (isClear) return 'answers';
    const spell = spells.get(destination);
    if (spell !== undefined && spell.untilMs > nowMs())
      return spell.mode === 'changes with each' ? random.pick(modes) : spell.mode;
    const mode = random.chance(storm) ? random.pick(['changes with each', ...modes]) : 'answers';
    spells.set(destination, { mode, untilMs: nowMs() + random.between(10 * secondMs, 6 * minuteMs) });
    return modeAt(destination);
  }

  return {
    fateAt: (destination) => fateOf(modeAt(destination), random),
    clear() {
      isClear = true;
    },
  };
}

function fateOf(mode: Mode, random: Random): Fate {
  const soonMs = random.between(2, 400);
  switch (mode) {
    case 'answers':
      return { mode, isAccepted: true, latencyMs: soonMs, answer: answered(random.pick([200, 202, 204])) };
    case 'is slow':
      return { mode, isAccepted: true, latencyMs: random.between(secondMs, 29 * secondMs), answer: answered(200) };
    case 'refuses':
      return { mode, isAccepted: false, latencyMs: soonMs, answer: answered(random.pick([404, 410, 400])) };
    case 'is busy': {
      const headers = { 'retry-after': String(random.between(1, 120)) };
      return { mode, isAccepted: false, latencyMs: soonMs, answer: answered(429, headers) };
    }
    case 'is down':
      return { mode, isAccepted: false, latencyMs: soonMs, answer: answered(random.pick([500, 502, 503])) };
    case 'cannot be reached':
      return { mode, isAccepted: false, latencyMs: soonMs, answer: { kind: 'not_sent', reason: 'no connection' } };
    case 'loses its answer':
      return { mode, isAccepted: true, latencyMs: soonMs, answer: { kind: 'lost', reason: 'the connection broke' } };
    case 'loses the request':
      return { mode, isAccepted: false, latencyMs: soonMs, answer: { kind: 'lost', reason: 'the connection broke' } };
    case 'hangs': {
      const answer = { kind: 'lost' as const, reason: 'no answer in time' };
      return { mode, isAccepted: random.chance(0.5), latencyMs: 30 * secondMs, answer };
    }
    default:
      return mode satisfies never;
  }
}

const answered = (status: number, headers: Record<string, string> = {}): HttpAnswer => ({
  kind: 'answer',
  status,
  headers,
  body: '',
  isComplete: true,
});
