import { describe, expect, it } from 'vitest';
import { createLeaseWatch } from '#engine/lease-watch.ts';

describe('the watch over leases', () => {
  const limits = { leaseMs: 90_000, heartbeatMs: 20_000 };

  it('calls a lease lost that is over and has missed two heartbeats', () => {
    const { watch, pass } = room();
    const claims = [{ id: 'a', leaseUntil: '2026-03-02T08:01:00Z' }];
    expect(watch.lostAmong(claims)).toEqual([]);
    pass(59);
    expect(watch.lostAmong(claims)).toEqual([]);
    pass(2);
    expect(watch.lostAmong(claims)).toEqual(claims);
  });

  it('keeps a lease that is renewed, however wrong the clock of either side', () => {
    const { watch, pass } = room();
    for (let beat = 0; beat < 10; beat += 1) {
      const renewed = Temporal.Instant.from('2020-01-01T00:00:00Z').add({ seconds: beat * 20 });
      expect(watch.lostAmong([{ id: 'a', leaseUntil: renewed.toString() }])).toEqual([]);
      pass(20);
    }
  });

  it('keeps what is renewed when its own clock jumps ahead', () => {
    const { watch, pass, jump } = room();
    expect(watch.lostAmong([{ id: 'a', leaseUntil: '2026-03-02T08:01:30Z' }])).toEqual([]);
    jump({ hours: 24 });
    pass(39);
    expect(watch.lostAmong([{ id: 'a', leaseUntil: '2026-03-02T08:01:30Z' }])).toEqual([]);
    pass(1);
    expect(watch.lostAmong([{ id: 'a', leaseUntil: '2026-03-03T08:02:10Z' }])).toEqual([]);
  });

  it('calls a lease lost that has stood still for all its length, though its time seems far ahead', () => {
    const { watch, pass } = room();
    const claims = [{ id: 'a', leaseUntil: '2030-01-01T00:00:00Z' }];
    expect(watch.lostAmong(claims)).toEqual([]);
    pass(89);
    expect(watch.lostAmong(claims)).toEqual([]);
    pass(1);
    expect(watch.lostAmong(claims)).toEqual(claims);
  });

  function room() {
    let now = Temporal.Instant.from('2026-03-02T08:00:00Z');
    let steadyMs = 0;
    return {
      watch: createLeaseWatch({ ...limits, clock: { now: () => now, steadyMs: () => steadyMs } }),
      jump: (duration: Temporal.DurationLike) => (now = now.add(duration)),
      pass(seconds: number) {
        now = now.add({ seconds });
        steadyMs += seconds * 1_000;
      },
    };
  }
});
