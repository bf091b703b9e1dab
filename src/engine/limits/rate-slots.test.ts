import { describe, expect, it } from 'vitest';
import { createRateSlotQueue } from '#engine/limits/rate-slots.ts';
import { createVirtualClock } from '#testing/virtual-clock.ts';

describe('a rate slot', () => {
  it('is due at its time, together with all others that are due', async () => {
    const clock = createVirtualClock('2026-03-02T09:00:00Z');
    const { promise: reported, resolve: report } = Promise.withResolvers<readonly string[]>();
    const rateSlots = createRateSlotQueue<Named>({ clock, onDue: (ones) => report(ones.map(({ name }) => name)) });
    const inMs = (ms: number) => clock.epochMs() + ms;
    expect(rateSlots.hasToWait({ name: 'now', startAtMs: inMs(0) })).toBe(false);
    expect(rateSlots.hasToWait({ name: 'a', startAtMs: inMs(300) })).toBe(true);
    expect(rateSlots.hasToWait({ name: 'b', startAtMs: inMs(400) })).toBe(true);
    expect(rateSlots.hasToWait({ name: 'c', startAtMs: inMs(900) })).toBe(true);
    clock.advance({ milliseconds: 400 });
    expect(await reported).toEqual(['a', 'b']);
    expect(rateSlots.dismissAll()).toMatchObject([{ name: 'c' }]);
  });

  it('is due for all waiting deliveries when the clock is set back', async () => {
    const clock = createVirtualClock('2026-03-02T09:00:00Z');
    const { promise: reported, resolve: report } = Promise.withResolvers<readonly string[]>();
    // The sleep of the queue, which does not depend on the clock's setting.
    const { promise: slept, resolve: wake } = Promise.withResolvers<void>();
    const rateSlots = createRateSlotQueue<Named>({
      clock: { ...clock, sleepUntil: () => slept },
      onDue: (ones) => report(ones.map(({ name }) => name)),
    });
    const one = { name: 'a', startAtMs: clock.epochMs() + 500 };
    expect(rateSlots.hasToWait(one)).toBe(true);
    clock.advance({ hours: -1 });
    expect(rateSlots.hasToWait({ ...one, name: 'b' })).toBe(false);
    wake();
    expect(await reported).toEqual(['a']);
  });
});

type Named = { name: string; startAtMs: number | null };
