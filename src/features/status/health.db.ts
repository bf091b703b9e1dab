import type { Pool } from 'pg';
import type { Component } from '#contract/status.ts';

export type MinuteOf = { component: Component; isOperational: boolean; isDegraded: boolean };

/** Counts a minute for each component, unless another process has counted it already. */
export async function addMinute(
  pool: Pool,
  { minute, of }: { minute: Temporal.Instant; of: readonly MinuteOf[] },
): Promise<void> {
  await pool.query(
    `insert into health_days as known (day, component, operational, degraded, first_minute, last_minute)
     select ($1::timestamptz at time zone 'UTC')::date, component, operational, degraded, $1, $1
       from unnest($2::text[], $3::integer[], $4::integer[]) as given (component, operational, degraded)
      order by component
     on conflict (day, component) do update
        set operational = known.operational + excluded.operational, degraded = known.degraded + excluded.degraded,
            last_minute = excluded.last_minute
      where known.last_minute < excluded.last_minute`,
    [
      minute.toString(),
      of.map(({ component }) => component),
      of.map(({ isOperational }) => Number(isOperational)),
      of.map(({ isDegraded }) => Number(isDegraded)),
    ],
  );
}

/** `day` is in UTC. */
export const forgetDays = (pool: Pool, { before }: { before: string }) =>
  pool.query('delete from health_days where day < $1', [before]);

export type DayRow = {
  day: string;
  component: Component;
  operational: number;
  degraded: number;
  first_minute: string;
  last_minute: string;
};

/** The days, the earliest first. */
export async function listDays(pool: Pool): Promise<DayRow[]> {
  const { rows } = await pool.query<DayRow>(
    `select day::text as day, component, operational, degraded, first_minute, last_minute
       from health_days order by component, day`,
  );
  return rows;
}
