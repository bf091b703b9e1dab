import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unknownPathLimits as limits } from '#contract/unknown-paths.ts';
import { listUnknownPaths, recordUnknownPaths } from '#features/unknown-paths/unknown-paths.service.ts';
import { createLog } from '#platform/log.ts';
import { openTables, type Tables } from '#testing/tables.ts';
import { createVirtualClock, type VirtualClock } from '#testing/virtual-clock.ts';

describe('a path without a page', () => {
  let tables: Tables;
  let clock: VirtualClock;
  beforeAll(async () => {
    tables = await openTables();
  });
  beforeEach(async () => {
    await tables.owner.query('delete from unknown_paths');
    clock = createVirtualClock('2026-03-02T08:00:00Z');
  });
  afterAll(() => tables.close());

  /** All that is noted before the next write. */
  async function ask(...paths: string[]): Promise<void> {
    const record = recordUnknownPaths({ pool: tables.database.engine, clock, log: createLog('silent') });
    for (const path of paths) record.note(path);
    await record.stop();
  }
  const list = () => listUnknownPaths(tables.database.engine, clock.now());

  it('is kept once with how often and when it was asked for, the latest first', async () => {
    await ask('/remindres', '/old', '/remindres');
    clock.advance({ hours: 1 });
    await ask('/remindres');
    expect(await list()).toEqual([
      { path: '/remindres', count: 3, first_at: '2026-03-02T08:00:00.000Z', last_at: '2026-03-02T09:00:00.000Z' },
      { path: '/old', count: 1, first_at: '2026-03-02T08:00:00.000Z', last_at: '2026-03-02T08:00:00.000Z' },
    ]);
  });

  it('is shortened, and half a character at its end is no error', async () => {
    await ask(`/${'😀'.repeat(300)}`, `/\ud83d`);
    expect(new Set((await list()).map(({ path }) => path))).toEqual(
      new Set([`/${'😀'.repeat(limits.characters / 2 - 1)}\ufffd`, '/\ufffd']),
    );
  });

  it('is one of a bounded number: fifty at once, five hundred in all, for ninety days', async () => {
    await ask(...Array.from({ length: 1_000 }, (_, n) => `/scan/${n}`));
    expect(await list()).toHaveLength(50);
    await tables.owner.query(
      `insert into unknown_paths select '/old/' || n, 1, $1, $1 from generate_series(1, 600) n`,
      [clock.now().subtract({ hours: 1 }).toString()],
    );
    await ask('/one');
    expect((await tables.owner.query('select from unknown_paths')).rowCount).toBe(limits.paths);
    expect((await list())[0]?.path).toBe('/one');
    clock.advance({ hours: 24 * 91 });
    expect(await list()).toEqual([]);
    await ask('/two');
    expect((await tables.owner.query('select from unknown_paths')).rowCount).toBe(1);
  });
});
