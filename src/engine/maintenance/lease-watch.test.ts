import { describe, expect, it } from 'vitest';
import { createLeaseWatch } from '#engine/maintenance/lease-watch.ts';

describe('the watch over leases', () => {
  it('calls a lease lost that has expired and missed two heartbeats', () => {
    const { lostAfter } = capacity();
    expect(lostAfter(200, () => '2026-03-02T08:01:10Z')).toBe(75);
    expect(capacity().lostAfter(200, () => '2026-03-02T07:00:00Z')).toBe(60);
  });

  it('keeps a lease that is renewed, however wrong the clock of either side', () => {
    for (const start of ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z'])
      expect(capacity().lostAfter(600, renewedSince(start))).toBeNull();
  });

  it('keeps a lease that is renewed when its own clock jumps', () => {
    for (const hours of [1, 24, -1, -24]) {
      const { jump, lostAfter } = capacity();
      expect(lostAfter(60, renewedSince('2026-03-02T08:01:30Z'))).toBeNull();
      jump({ hours });
      expect(lostAfter(600, renewedSince('2026-03-02T08:02:30Z'))).toBeNull();
    }
  });

  it('calls a lease lost that has not changed for its whole length, though its expiry seems far ahead', () => {
    expect(capacity().lostAfter(200, () => '2030-01-01T00:00:00Z')).toBe(90);
  });

  it('starts again after a time in which nobody could extend a lease', () => {
    const { pass, lostAfter } = capacity();
    expect(lostAfter(30, () => '2026-03-02T08:01:00Z')).toBeNull();
    pass(600);
    expect(lostAfter(45, () => '2026-03-02T08:01:00Z')).toBeNull();
    expect(lostAfter(45, renewedSince('2026-03-02T08:13:00Z'))).toBeNull();
  });

  const renewedSince = (start: string) => (seconds: number) =>
    Temporal.Instant.from(start)
      .add({ seconds: Math.floor(seconds / 20) * 20 })
      .toString();

  function capacity() {
    let now = Temporal.Instant.from('2026-03-02T08:00:00Z');
    let steadyMs = 1_000_000;
    const watch = createLeaseWatch({
      leaseMs: 90_000,
      heartbeatMs: 20_000,
      sweepMs: 15_000,
      clock: { now: () => now, steadyMs: () => steadyMs },
    });
    function pass(seconds: number): void {
      now = now.add({ seconds });
      steadyMs += seconds * 1_000;
    }
    return {
      pass,
      jump(duration: Temporal.DurationLike) {
        now = now.add(duration);
      },
      /** Looks every fifteen seconds. Returns when the claim was first called lost, null if it was not. */
      lostAfter(seconds: number, leaseUntil: (passed: number) => string): number | null {
        for (let passed = 0; passed <= seconds; passed += 15) {
          if (passed > 0) pass(15);
          if (watch.lostAmong([{ id: 'a', leaseUntil: leaseUntil(passed) }]).length > 0) return passed;
        }
        return null;
      },
    };
  }
});
