import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { onSuppressionList } from '#domain/ledger-reasons.ts';
import type { Outcome } from '#domain/outcome.ts';
import { type Admission, createCircuitBreakers, type CircuitBreakers } from '#engine/limits/circuit-breakers.ts';
import { createVirtualClock, type VirtualClock } from '#testing/virtual-clock.ts';

const limits = { perDestination: 3, stalledMs: 2_000, failuresToOpen: 4 };
const hooks = { destination: 'hooks', address: null };
const others = { destination: 'others', address: null };
const accepted: Outcome = { outcome: 'accepted', receipt: 'r', answer: 'HTTP 200' };
const refused: Outcome = { outcome: 'failed', reason: 'HTTP 404', permanent: true };
const down: Outcome = { outcome: 'failed', reason: 'HTTP 503', permanent: false };
const unanswered: Outcome = { outcome: 'unknown', reason: 'the connection was reset' };

describe('the circuit breaker of a destination', () => {
  let clock: VirtualClock;
  let breakers: CircuitBreakers<string>;
  let random: number;
  beforeEach(() => {
    clock = createVirtualClock('2026-03-02T09:00:00Z');
    random = 0;
    breakers = createCircuitBreakers<string>({ clock, random: () => random, limits });
  });

  const admit = (...names: string[]) => names.map((name) => breakers.admit(hooks, name).kind);
  const inSeconds = (admission: Admission) =>
    admission.kind === 'defer' ? (admission.atMs - clock.epochMs()) / 1_000 : admission.kind;
  /** Makes `times` attempts, one after the other, that end like this. */
  function attempt(times: number, outcome: Outcome): void {
    for (let n = 0; n < times; n += 1) {
      expect(breakers.admit(hooks, 'one').kind).toBe('admit');
      breakers.release(hooks, outcome);
    }
  }

  describe('admits a limited number at a time', () => {
    it('and admits the next in line for each attempt that ends', () => {
      expect(admit('a', 'b', 'c', 'd', 'e', 'f')).toEqual(['admit', 'admit', 'admit', 'wait', 'wait', 'wait']);
      expect(breakers.nextWaiting(hooks, 2)).toEqual(['d', 'e']);
      expect(breakers.release(hooks, accepted)).toEqual({ admitted: ['d'], deferred: [] });
      expect(breakers.release(hooks, refused)).toEqual({ admitted: ['e'], deferred: [] });
      expect(breakers.release(hooks, null)).toEqual({ admitted: ['f'], deferred: [] });
      expect(breakers.release(hooks, accepted)).toEqual({ admitted: [], deferred: [] });
      expect(admit('g')).toEqual(['admit']);
    });

    it('and does not affect other destinations', () => {
      admit('a', 'b', 'c', 'd');
      expect(breakers.admit(others, 'x').kind).toBe('admit');
      expect(breakers.release(others, accepted).admitted).toEqual([]);
    });
  });

  describe('that does not answer', () => {
    it('is recognised even if the clock is set back meanwhile', () => {
      admit('a', 'b', 'c', 'd');
      clock.advance({ hours: -1 });
      expect(breakers.dismissStalled().map(({ waiting }) => waiting)).toEqual(['d']);
    });

    it('keeps nothing waiting for long, and defers deliveries by more each time', () => {
      admit('a', 'b', 'c', 'd', 'e');
      clock.advance({ milliseconds: limits.stalledMs });
      expect(breakers.dismissStalled()).toEqual([]);
      clock.advance({ milliseconds: 1 });
      const deferred = breakers.dismissStalled();
      expect(deferred.map(({ waiting }) => waiting)).toEqual(['d', 'e']);
      expect(deferred[0]?.reason).toBe('The destination is busy with earlier messages');
      expect(breakers.hasWaiting()).toBe(false);
      const returns = Array.from({ length: 24 }, () => inSeconds(breakers.admit(hooks, 'f')));
      expect([...new Set(returns)]).toEqual([2, 4, 8, 16, 30]);
      expect(returns.toSorted((a, b) => Number(a) - Number(b))).toEqual(returns);
    });

    it('is waited for again after one answer', () => {
      admit('a', 'b', 'c', 'd');
      clock.advance({ seconds: 3 });
      expect(admit('e')).toEqual(['defer']);
      expect(breakers.release(hooks, accepted).admitted).toEqual(['d']);
      expect(admit('e')).toEqual(['wait']);
      clock.advance({ seconds: 3 });
      expect(inSeconds(breakers.admit(hooks, 'f'))).toBe(1);
    });

    it('does not count idle time as silence', () => {
      attempt(1, accepted);
      clock.advance({ hours: 1 });
      expect(admit('a', 'b', 'c', 'd')).toEqual(['admit', 'admit', 'admit', 'wait']);
    });
  });

  describe('that fails several times in a row', () => {
    it('is not tried for half a minute, and deferred deliveries carry the reason', () => {
      attempt(2, down);
      attempt(2, unanswered);
      const admission = breakers.admit(hooks, 'a');
      expect(inSeconds(admission)).toBe(30);
      expect(admission).toMatchObject({
        code: 'circuit_open',
        reason: 'Not tried: the last 4 attempts to reach the destination failed (the connection was reset)',
      });
      random = 0.999_999;
      expect(inSeconds(breakers.admit(hooks, 'b'))).toBeCloseTo(37.5, 2);
      clock.advance({ seconds: 29, milliseconds: 999 });
      expect(admit('c')).toEqual(['defer']);
    });

    it('defers everything that waits in line', () => {
      attempt(1, down);
      admit('a', 'b', 'c', 'd', 'e');
      expect(breakers.release(hooks, down).admitted).toEqual(['d']);
      expect(breakers.release(hooks, down).admitted).toEqual(['e']);
      admit('f', 'g');
      const { admitted, deferred } = breakers.release(hooks, down);
      expect(admitted).toEqual([]);
      expect(deferred.map(({ waiting, atMs }) => [waiting, (atMs - clock.epochMs()) / 1_000])).toEqual([
        ['f', 30],
        ['g', 30],
      ]);
    });

    it('starts its count again after one success between them', () => {
      attempt(3, down);
      attempt(1, accepted);
      attempt(3, down);
      expect(admit('a')).toEqual(['admit']);
    });

    it.each([
      ['a refusal of the message', refused, ['admit']],
      ['a message that was not sent on purpose', { outcome: 'skipped', ...onSuppressionList }, ['defer']],
    ] as const)('takes %s into account', (_, outcome, expected) => {
      attempt(3, down);
      attempt(1, outcome);
      attempt(1, down);
      expect(admit('a')).toEqual(expected);
    });

    it('is probed by a single attempt after its rest, and rests twice as long each time, up to ten minutes', () => {
      attempt(4, down);
      const rests: number[] = [];
      for (let probe = 0; probe < 7; probe += 1) {
        const rest = inSeconds(breakers.admit(hooks, 'early'));
        rests.push(Number(rest));
        clock.advance({ seconds: Number(rest) });
        expect(admit('probe', 'a', 'b')).toEqual(['admit', 'defer', 'defer']);
        breakers.release(hooks, down);
      }
      expect(rests).toEqual([30, 60, 120, 240, 480, 600, 600]);
    });

    it('admits everything once a probe has succeeded', () => {
      attempt(4, down);
      clock.advance({ seconds: 30 });
      attempt(1, accepted);
      expect(admit('a', 'b', 'c', 'd')).toEqual(['admit', 'admit', 'admit', 'wait']);
      for (let n = 0; n < 3; n += 1) breakers.release(hooks, accepted);
      attempt(3, down);
      expect(admit('e')).toEqual(['admit']);
    });

    it('is probed by the next delivery when the probe was not sent', () => {
      attempt(4, down);
      clock.advance({ seconds: 30 });
      expect(admit('probe')).toEqual(['admit']);
      breakers.release(hooks, null);
      expect(admit('a', 'b')).toEqual(['admit', 'defer']);
    });

    it('does not rest longer because of attempts that were under way when it opened', () => {
      expect(admit('a', 'b', 'c')).toEqual(['admit', 'admit', 'admit']);
      for (let n = 0; n < 3; n += 1) {
        breakers.release(hooks, down);
        expect(admit('d')).toEqual(['admit']);
      }
      breakers.release(hooks, down);
      breakers.release(hooks, down);
      breakers.release(hooks, down);
      expect(inSeconds(breakers.admit(hooks, 'e'))).toBe(30);
    });
  });

  it('is forgotten after a long idle time when too many others are known', () => {
    attempt(4, down);
    clock.advance({ seconds: 30 });
    attempt(1, down);
    const deliveries = () => {
      for (let n = 0; n <= 10_001; n += 1) {
        breakers.admit({ destination: `other ${n}`, address: null }, 'x');
        breakers.release({ destination: `other ${n}`, address: null }, accepted);
      }
    };
    clock.advance({ minutes: 11 });
    deliveries();
    attempt(1, down);
    expect(inSeconds(breakers.admit(hooks, 'a'))).toBe(120);
    clock.advance({ minutes: 12, milliseconds: 1 });
    deliveries();
    attempt(3, down);
    expect(admit('b')).toEqual(['admit']);
  });

  it('never loses a delivery, admits one twice or exceeds the limit, whatever happens', () => {
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
          breakers = createCircuitBreakers<string>({ clock, random: () => chance, limits });
          const inFlight = new Set<string>();
          const line: string[] = [];
          let came = 0;
          const isLater = (atMs: number) => atMs > clock.epochMs();
          const enter = (name: string) => {
            expect(inFlight.has(name)).toBe(false);
            inFlight.add(name);
            expect(inFlight.size).toBeLessThanOrEqual(limits.perDestination);
          };
          const goAway = (deferred: readonly { waiting: string; atMs: number }[]) => {
            for (const { waiting, atMs } of deferred) {
              expect(line.splice(line.indexOf(waiting), 1)).toEqual([waiting]);
              expect(isLater(atMs)).toBe(true);
            }
          };
          for (const one of steps) {
            if (one === 'come') {
              const name = `n${(came += 1)}`;
              const admission = breakers.admit(hooks, name);
              if (admission.kind === 'admit') enter(name);
              else if (admission.kind === 'wait') line.push(name);
              else expect(isLater(admission.atMs)).toBe(true);
            } else if (one === 'dismiss stalled') goAway(breakers.dismissStalled());
            else if (one === 'dismiss all') expect(breakers.dismissAll()).toEqual(line.splice(0));
            else if (typeof one === 'number') clock.advance({ milliseconds: one });
            else {
              const [leaving] = inFlight;
              if (leaving === undefined) continue;
              inFlight.delete(leaving);
              const { admitted, deferred } = breakers.release(hooks, one);
              expect(line.splice(0, admitted.length)).toEqual(admitted);
              for (const name of admitted) enter(name);
              goAway(deferred);
            }
            expect(breakers.nextWaiting(hooks, 1_000)).toEqual(line);
            expect(breakers.hasWaiting()).toBe(line.length > 0);
            // Nothing waits while a slot is free.
            if (inFlight.size === 0) expect(line).toEqual([]);
          }
        },
      ),
      { seed: 20_261_120, numRuns: 400 },
    );
  });

  describe('with several addresses', () => {
    const wide = { perDestination: 10, stalledMs: 2_000, failuresToOpen: 4 };
    const at = (address: string) => ({ destination: 'hooks', address });
    beforeEach(() => {
      breakers = createCircuitBreakers<string>({ clock, random: () => random, limits: wide });
    });
    const come = (address: string, times: number) =>
      Array.from({ length: times }, (_, n) => breakers.admit(at(address), `${address}${n}`).kind);

    it('keeps slots for others while one hangs', () => {
      const kinds = come('hangs', 20);
      expect(kinds.filter((kind) => kind === 'admit')).toHaveLength(8);
      expect(kinds.filter((kind) => kind === 'wait')).toHaveLength(12);
      for (let n = 0; n < 30; n += 1) {
        expect(breakers.admit(at('answers'), 'a').kind).toBe('admit');
        breakers.release(at('answers'), accepted);
      }
      clock.advance({ milliseconds: 2_001 });
      expect(breakers.dismissStalled()).toHaveLength(12);
      expect(inSeconds(breakers.admit(at('hangs'), 'again'))).toBeGreaterThan(0);
      expect(breakers.admit(at('answers'), 'b').kind).toBe('admit');
    });

    it('counts the first attempt of a destination for which others are forgotten', () => {
      for (let n = 0; n < 10_002; n += 1) {
        breakers.admit({ destination: `other ${n}`, address: null }, 'x');
        breakers.release({ destination: `other ${n}`, address: null }, accepted);
      }
      expect(come('hangs', 9)).toEqual([...Array.from({ length: 8 }, () => 'admit'), 'wait']);
    });

    it('forgets the quiet ones of many addresses, and keeps count of the others', () => {
      expect(come('hangs', 8)).not.toContain('wait');
      for (let n = 0; n < 25_000; n += 1) {
        breakers.admit(at(`fails ${n}`), 'x');
        breakers.release(at(`fails ${n}`), refused);
        breakers.admit({ destination: `fails ${n}`, address: 'once' }, 'x');
        breakers.release({ destination: `fails ${n}`, address: 'once' }, down);
      }
      expect(come('hangs', 1)).toEqual(['wait']);
    });

    it('closes one that fails, and not the others', () => {
      for (let n = 0; n < 4; n += 1) {
        expect(breakers.admit(at('fails'), 'f').kind).toBe('admit');
        breakers.release(at('fails'), down);
      }
      expect(inSeconds(breakers.admit(at('fails'), 'f'))).toBe(30);
      expect(breakers.openUntilMs(at('fails'))).toBeGreaterThan(clock.epochMs());
      expect(breakers.openUntilMs(at('answers'))).toBe(0);
      expect(breakers.admit(at('answers'), 'a').kind).toBe('admit');
    });

    it('closes the destination when several addresses fail', () => {
      for (const address of ['a', 'b', 'c', 'd']) {
        breakers.admit(at(address), address);
        breakers.release(at(address), down);
      }
      expect(inSeconds(breakers.admit(at('e'), 'e'))).toBe(30);
    });

    it('loses nothing that waits, and lets nothing wait behind a free slot', () => {
      const step = fc.record({
        address: fc.constantFrom('a', 'b', 'c'),
        act: fc.oneof(
          { weight: 6, arbitrary: fc.constant('come' as const) },
          { weight: 5, arbitrary: fc.constantFrom(accepted, down, unanswered, refused, null) },
          { weight: 1, arbitrary: fc.integer({ min: 1, max: 40_000 }) },
          { weight: 1, arbitrary: fc.constant('dismiss stalled' as const) },
        ),
      });
      fc.assert(
        fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
          clock = createVirtualClock('2026-03-02T09:00:00Z');
          breakers = createCircuitBreakers<string>({ clock, random: () => 0, limits: { ...wide, perDestination: 5 } });
          const inFlight: string[] = [];
          const waiting = new Set<string>();
          let came = 0;
          const leave = (names: readonly string[]) => {
            for (const name of names) expect(waiting.delete(name)).toBe(true);
          };
          for (const { address, act } of steps) {
            if (act === 'come') {
              const name = `${address}${(came += 1)}`;
              const { kind } = breakers.admit(at(address), name);
              if (kind === 'admit') inFlight.push(name);
              else if (kind === 'wait') waiting.add(name);
            } else if (act === 'dismiss stalled') leave(breakers.dismissStalled().map((one) => one.waiting));
            else if (typeof act === 'number') clock.advance({ milliseconds: act });
            else {
              const index = inFlight.findIndex((name) => name.startsWith(address));
              if (index === -1) continue;
              inFlight.splice(index, 1);
              const { admitted, deferred } = breakers.release(at(address), act);
              leave([...admitted, ...deferred.map((one) => one.waiting)]);
              inFlight.push(...admitted);
            }
            expect(inFlight.length).toBeLessThanOrEqual(5);
            if (inFlight.length === 0) expect([...waiting]).toEqual([]);
            expect(breakers.hasWaiting()).toBe(waiting.size > 0);
          }
          leave(breakers.dismissAll());
          expect([...waiting]).toEqual([]);
        }),
        { seed: 20_261_128, numRuns: 400 },
      );
    });
  });
});
