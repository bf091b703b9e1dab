import { describe, expect, it } from 'vitest';
import { createTurns } from '#engine/turns.ts';
import { createVirtualClock } from '#testing/virtual-clock.ts';

describe('a turn on a limited channel', () => {
  it('has come when its time has, and with it those of the others whose time has', async () => {
    const clock = createVirtualClock('2026-03-02T09:00:00Z');
    const { promise: told, resolve: tell } = Promise.withResolvers<readonly string[]>();
    const turns = createTurns<Named>({ clock, onTurn: (ones) => tell(ones.map(({ name }) => name)) });
    const inMs = (ms: number) => clock.epochMs() + ms;
    expect(turns.hasToWait({ name: 'now', startAtMs: inMs(0) })).toBe(false);
    expect(turns.hasToWait({ name: 'a', startAtMs: inMs(300) })).toBe(true);
    expect(turns.hasToWait({ name: 'b', startAtMs: inMs(400) })).toBe(true);
    expect(turns.hasToWait({ name: 'c', startAtMs: inMs(900) })).toBe(true);
    clock.advance({ milliseconds: 400 });
    expect(await told).toEqual(['a', 'b']);
    expect(turns.dismissAll()).toMatchObject([{ name: 'c' }]);
  });

  it('has come for all who wait when the clock is set back', async () => {
    const clock = createVirtualClock('2026-03-02T09:00:00Z');
    const { promise: told, resolve: tell } = Promise.withResolvers<readonly string[]>();
    // Whoever sleeps does so by time that nobody sets.
    const { promise: slept, resolve: wake } = Promise.withResolvers<void>();
    const turns = createTurns<Named>({
      clock: { ...clock, sleepUntil: () => slept },
      onTurn: (ones) => tell(ones.map(({ name }) => name)),
    });
    const one = { name: 'a', startAtMs: clock.epochMs() + 500 };
    expect(turns.hasToWait(one)).toBe(true);
    clock.advance({ hours: -1 });
    expect(turns.hasToWait({ ...one, name: 'b' })).toBe(false);
    wake();
    expect(await told).toEqual(['a']);
  });
});

type Named = { name: string; startAtMs: number | null };
