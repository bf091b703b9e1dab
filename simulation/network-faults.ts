import type { HttpAnswer } from '#platform/outbound/http.ts';
import type { Random } from '#simulation/random.ts';

/** The result of one request: whether the receiver acts on it, and when and how it answers. */
export type RequestResult = { mode: Mode; isAccepted: boolean; latencyMs: number; answer: HttpAnswer };

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

export type NetworkFaults = {
  resultAt(destination: string): RequestResult;
  /** From now on all destinations answer. */
  clear(): void;
};

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** Every destination has a fault mode, which lasts for a while. @param faultRate in [0, 1] */
export function createNetworkFaults({
  random,
  faultRate,
  nowMs,
}: {
  random: Random;
  faultRate: number;
  nowMs: () => number;
}): NetworkFaults {
  const spells = new Map<string, { mode: Mode | 'random'; untilMs: number }>();
  let isClear = false;

  function modeAt(destination: string): Mode {
    if (isClear) return 'answers';
    const spell = spells.get(destination);
    if (spell !== undefined && spell.untilMs > nowMs())
      return spell.mode === 'random' ? random.pick(modes) : spell.mode;
    const mode = random.chance(faultRate) ? random.pick(['random', ...modes]) : 'answers';
    spells.set(destination, { mode, untilMs: nowMs() + random.between(10 * secondMs, 6 * minuteMs) });
    return modeAt(destination);
  }

  return {
    resultAt: (destination) => resultIn(modeAt(destination), random),
    clear() {
      isClear = true;
    },
  };
}

function resultIn(mode: Mode, random: Random): RequestResult {
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
