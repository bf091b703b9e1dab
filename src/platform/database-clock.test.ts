import { afterEach, describe, expect, it } from 'vitest';
import { type DatabaseClock, startDatabaseClock } from '#platform/database-clock.ts';
import { createLog } from '#platform/log.ts';
import { createVirtualClock } from '#testing/virtual-clock.ts';

describe('the time of an installation', () => {
  let clock: DatabaseClock;
  afterEach(() => clock.stop());

  /** The clocks of a machine and of a database, which pass together and can be set apart from each other. */
  async function start({ machineAheadMs }: { machineAheadMs: number }) {
    const time = createVirtualClock('2026-03-02T08:00:00Z');
    const lines: string[] = [];
    const state = { machineAheadMs, databaseAheadMs: 0, isAway: false, tripMs: 0 };
    const own = {
      now: () => time.now().add({ milliseconds: state.machineAheadMs }),
      epochMs: () => time.epochMs() + state.machineAheadMs,
      steadyMs: time.steadyMs,
      sleepUntil: (instant: Temporal.Instant, signal: AbortSignal) =>
        time.sleepUntil(instant.subtract({ milliseconds: state.machineAheadMs }), signal),
    };
    let answered = Promise.withResolvers<void>();
    const query = async (text: string) => {
      if (state.isAway) throw new Error('the database is away');
      if (!text.includes('clock_timestamp')) return { rows: [] };
      time.advance({ milliseconds: state.tripMs });
      const epochMs = time.epochMs() + state.databaseAheadMs;
      time.advance({ milliseconds: state.tripMs });
      answered.resolve();
      return { rows: [{ epoch_ms: epochMs }] };
    };
    clock = await startDatabaseClock({
      pool: { query } as never,
      log: createLog('info', (line) => lines.push(line)),
      own,
    });
    return {
      state,
      lines,
      text: () => clock.now().toString(),
      pass: (seconds: number) => time.advance({ seconds }),
      /** Passes until the database was asked again. */
      async read() {
        answered = Promise.withResolvers();
        await time.untilAsleep(1);
        time.advance({ seconds: 15 });
        await answered.promise;
        await time.untilAsleep(1);
      },
    };
  }

  it('is that of the database, however far the clock of the machine is off', async () => {
    const { text, pass } = await start({ machineAheadMs: 7_200_000 });
    expect(text()).toBe('2026-03-02T08:00:00Z');
    expect(clock.offsetMs()).toBe(7_200_000);
    pass(10);
    expect(text()).toBe('2026-03-02T08:00:10Z');
  });

  it('does not follow the clock of the machine when that is set', async () => {
    const { text, state, read } = await start({ machineAheadMs: 0 });
    state.machineAheadMs = 86_400_000;
    expect(text()).toBe('2026-03-02T08:00:00Z');
    await read();
    expect(text()).toBe('2026-03-02T08:00:15Z');
  });

  it('follows the database from the next reading on', async () => {
    const { text, state, read } = await start({ machineAheadMs: 0 });
    state.databaseAheadMs = -3_600_000;
    await read();
    expect(text()).toBe('2026-03-02T07:00:15Z');
  });

  it('goes on while the database is away', async () => {
    const { text, state, pass } = await start({ machineAheadMs: 5_000 });
    state.isAway = true;
    pass(60);
    expect(text()).toBe('2026-03-02T08:01:00Z');
  });

  it('is not disturbed by a reading that is less exact than what is known', async () => {
    const { text, state, read } = await start({ machineAheadMs: 0 });
    state.tripMs = 400;
    state.databaseAheadMs = 300;
    await read();
    expect(text()).toBe('2026-03-02T08:00:15.8Z');
  });

  it('is told to the operator once, when the machine is two seconds off, and when it is right again', async () => {
    const { lines, state, read } = await start({ machineAheadMs: 1_900 });
    await read();
    expect(lines).toEqual([]);
    state.machineAheadMs = -2_500;
    await read();
    await read();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ ahead_ms: -2_500 }]);
    state.machineAheadMs = 0;
    await read();
    expect(lines).toHaveLength(2);
  });
});
