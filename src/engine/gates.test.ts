import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Outcome } from '#domain/outcome.ts';
import { type Admission, createGates, type Gates } from '#engine/gates.ts';
import { createVirtualClock, type VirtualClock } from '#testing/virtual-clock.ts';

const limits = { perDestination: 3, stalledMs: 2_000, failuresToOpen: 4 };
const accepted: Outcome = { outcome: 'accepted', receipt: 'r', answer: 'HTTP 200' };
const refused: Outcome = { outcome: 'failed', reason: 'HTTP 404', permanent: true };
const down: Outcome = { outcome: 'failed', reason: 'HTTP 503', permanent: false };
const unanswered: Outcome = { outcome: 'unknown', reason: 'the connection was reset' };

describe('the gate of a destination', () => {
  let clock: VirtualClock;
  let gates: Gates<string>;
  let random: number;
  beforeEach(() => {
    clock = createVirtualClock('2026-03-02T09:00:00Z');
    random = 0;
    gates = createGates<string>({ clock, random: () => random, limits });
  });

  const admit = (...names: string[]) => names.map((name) => gates.admit('hooks', name).kind);
  const inSeconds = (admission: Admission) =>
    admission.kind === 'later' ? clock.now().until(admission.at).total('seconds') : admission.kind;
  /** One attempt after the other that ends like this. */
  function attempt(times: number, outcome: Outcome): void {
    for (let n = 0; n < times; n += 1) {
      expect(gates.admit('hooks', 'one').kind).toBe('enter');
      gates.leave('hooks', outcome);
    }
  }

  describe('lets so many in at a time', () => {
    it('and whoever stands in line follows in order, one for each who leaves', () => {
      expect(admit('a', 'b', 'c', 'd', 'e', 'f')).toEqual(['enter', 'enter', 'enter', 'wait', 'wait', 'wait']);
      expect(gates.nextInLine('hooks', 2)).toEqual(['d', 'e']);
      expect(gates.leave('hooks', accepted)).toEqual({ entered: ['d'], sentAway: [] });
      expect(gates.leave('hooks', refused)).toEqual({ entered: ['e'], sentAway: [] });
      expect(gates.leave('hooks', null)).toEqual({ entered: ['f'], sentAway: [] });
      expect(gates.leave('hooks', accepted)).toEqual({ entered: [], sentAway: [] });
      expect(admit('g')).toEqual(['enter']);
    });

    it('and knows nothing of other destinations', () => {
      admit('a', 'b', 'c', 'd');
      expect(gates.admit('others', 'x').kind).toBe('enter');
      expect(gates.leave('others', accepted).entered).toEqual([]);
    });
  });

  describe('that does not answer', () => {
    it('is found out also where the clock is set back meanwhile', () => {
      admit('a', 'b', 'c', 'd');
      clock.advance({ hours: -1 });
      expect(gates.dismissStalled().map(({ waiting }) => waiting)).toEqual(['d']);
    });

    it('has nobody standing before it for longer than a moment, and they come back later each time', () => {
      admit('a', 'b', 'c', 'd', 'e');
      clock.advance({ milliseconds: limits.stalledMs });
      expect(gates.dismissStalled()).toEqual([]);
      clock.advance({ milliseconds: 1 });
      const sentAway = gates.dismissStalled();
      expect(sentAway.map(({ waiting }) => waiting)).toEqual(['d', 'e']);
      expect(sentAway[0]?.reason).toBe('The destination is busy with earlier messages');
      expect(gates.hasLine()).toBe(false);
      const returns = Array.from({ length: 24 }, () => inSeconds(gates.admit('hooks', 'f')));
      expect([...new Set(returns)]).toEqual([2, 4, 8, 16, 30]);
      expect(returns.toSorted((a, b) => Number(a) - Number(b))).toEqual(returns);
    });

    it('is waited for again as soon as it has answered once', () => {
      admit('a', 'b', 'c', 'd');
      clock.advance({ seconds: 3 });
      expect(admit('e')).toEqual(['later']);
      expect(gates.leave('hooks', accepted).entered).toEqual(['d']);
      expect(admit('e')).toEqual(['wait']);
      clock.advance({ seconds: 3 });
      expect(inSeconds(gates.admit('hooks', 'f'))).toBe(1);
    });

    it('was not silent while nobody asked it for anything', () => {
      attempt(1, accepted);
      clock.advance({ hours: 1 });
      expect(admit('a', 'b', 'c', 'd')).toEqual(['enter', 'enter', 'enter', 'wait']);
    });
  });

  describe('that fails so many times in a row', () => {
    it('is not tried for half a minute, and who was to be sent there says why', () => {
      attempt(2, down);
      attempt(2, unanswered);
      const admission = gates.admit('hooks', 'a');
      expect(inSeconds(admission)).toBe(30);
      expect(admission).toMatchObject({
        reason: 'Not tried: the last 4 attempts to reach the destination failed (the connection was reset)',
      });
      random = 0.999_999;
      expect(inSeconds(gates.admit('hooks', 'b'))).toBeCloseTo(37.5, 2);
      clock.advance({ seconds: 29, milliseconds: 999 });
      expect(admit('c')).toEqual(['later']);
    });

    it('sends whoever stands in line away', () => {
      attempt(1, down);
      admit('a', 'b', 'c', 'd', 'e');
      expect(gates.leave('hooks', down).entered).toEqual(['d']);
      expect(gates.leave('hooks', down).entered).toEqual(['e']);
      admit('f', 'g');
      const { entered, sentAway } = gates.leave('hooks', down);
      expect(entered).toEqual([]);
      expect(sentAway.map(({ waiting, at }) => [waiting, clock.now().until(at).total('seconds')])).toEqual([
        ['f', 30],
        ['g', 30],
      ]);
    });

    it('is as good as new after one success between them', () => {
      attempt(3, down);
      attempt(1, accepted);
      attempt(3, down);
      expect(admit('a')).toEqual(['enter']);
    });

    it.each([
      ['a refusal of the message', refused, ['enter']],
      ['a message that was not sent on purpose', { outcome: 'skipped', reason: 'Unsubscribed' }, ['later']],
    ] as const)('heeds what %s says about it', (_, outcome, expected) => {
      attempt(3, down);
      attempt(1, outcome);
      attempt(1, down);
      expect(admit('a')).toEqual(expected);
    });

    it('is felt out by a single attempt after its rest, and rests twice as long up to ten minutes', () => {
      attempt(4, down);
      const rests: number[] = [];
      for (let probe = 0; probe < 7; probe += 1) {
        const rest = inSeconds(gates.admit('hooks', 'early'));
        rests.push(Number(rest));
        clock.advance({ seconds: Number(rest) });
        expect(admit('probe', 'a', 'b')).toEqual(['enter', 'later', 'later']);
        gates.leave('hooks', down);
      }
      expect(rests).toEqual([30, 60, 120, 240, 480, 600, 600]);
    });

    it('is open to everybody once a probe has come through', () => {
      attempt(4, down);
      clock.advance({ seconds: 30 });
      attempt(1, accepted);
      expect(admit('a', 'b', 'c', 'd')).toEqual(['enter', 'enter', 'enter', 'wait']);
      for (let n = 0; n < 3; n += 1) gates.leave('hooks', accepted);
      attempt(3, down);
      expect(admit('e')).toEqual(['enter']);
    });

    it('has the next one feel it out where the probe was not made after all', () => {
      attempt(4, down);
      clock.advance({ seconds: 30 });
      expect(admit('probe')).toEqual(['enter']);
      gates.leave('hooks', null);
      expect(admit('a', 'b')).toEqual(['enter', 'later']);
    });

    it('does not rest longer because of those who were under way when it began to rest', () => {
      expect(admit('a', 'b', 'c')).toEqual(['enter', 'enter', 'enter']);
      for (let n = 0; n < 3; n += 1) {
        gates.leave('hooks', down);
        expect(admit('d')).toEqual(['enter']);
      }
      gates.leave('hooks', down);
      gates.leave('hooks', down);
      gates.leave('hooks', down);
      expect(inSeconds(gates.admit('hooks', 'e'))).toBe(30);
    });
  });

  it('is forgotten where nobody has wanted to go for long and too many others are known', () => {
    attempt(4, down);
    clock.advance({ seconds: 30 });
    attempt(1, down);
    const crowd = () => {
      for (let n = 0; n <= 10_001; n += 1) {
        gates.admit(`other ${n}`, 'x');
        gates.leave(`other ${n}`, accepted);
      }
    };
    clock.advance({ minutes: 11 });
    crowd();
    attempt(1, down);
    expect(inSeconds(gates.admit('hooks', 'a'))).toBe(120);
    clock.advance({ minutes: 12, milliseconds: 1 });
    crowd();
    attempt(3, down);
    expect(admit('b')).toEqual(['enter']);
  });

  it('loses nobody and lets nobody in twice or too many, whatever happens', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.constant('come' as const) },
      { weight: 4, arbitrary: fc.constantFrom(accepted, down, down, unanswered, refused, null) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 40_000 }) },
      { weight: 1, arbitrary: fc.constantFrom('dismiss stalled' as const, 'dismiss all' as const) },
    );
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 120 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (steps, chance) => {
          clock = createVirtualClock('2026-03-02T09:00:00Z');
          gates = createGates<string>({ clock, random: () => chance, limits });
          const inFlight = new Set<string>();
          const line: string[] = [];
          let came = 0;
          const isLater = (at: Temporal.Instant) => Temporal.Instant.compare(at, clock.now()) > 0;
          const enter = (name: string) => {
            expect(inFlight.has(name)).toBe(false);
            inFlight.add(name);
            expect(inFlight.size).toBeLessThanOrEqual(limits.perDestination);
          };
          const goAway = (sentAway: readonly { waiting: string; at: Temporal.Instant }[]) => {
            for (const { waiting, at } of sentAway) {
              expect(line.splice(line.indexOf(waiting), 1)).toEqual([waiting]);
              expect(isLater(at)).toBe(true);
            }
          };
          for (const one of steps) {
            if (one === 'come') {
              const name = `n${(came += 1)}`;
              const admission = gates.admit('hooks', name);
              if (admission.kind === 'enter') enter(name);
              else if (admission.kind === 'wait') line.push(name);
              else expect(isLater(admission.at)).toBe(true);
            } else if (one === 'dismiss stalled') goAway(gates.dismissStalled());
            else if (one === 'dismiss all') expect(gates.dismissAll()).toEqual(line.splice(0));
            else if (typeof one === 'number') clock.advance({ milliseconds: one });
            else {
              const [leaving] = inFlight;
              if (leaving === undefined) continue;
              inFlight.delete(leaving);
              const { entered, sentAway } = gates.leave('hooks', one);
              expect(line.splice(0, entered.length)).toEqual(entered);
              for (const name of entered) enter(name);
              goAway(sentAway);
            }
            expect(gates.nextInLine('hooks', 1_000)).toEqual(line);
            expect(gates.hasLine()).toBe(line.length > 0);
            // Nobody waits who could go in.
            if (inFlight.size === 0) expect(line).toEqual([]);
          }
        },
      ),
      { seed: 20_261_120, numRuns: 400 },
    );
  });
});
