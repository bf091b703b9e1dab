import type { PoolClient } from 'pg';
import { capDayAt } from '#domain/frequency-cap.ts';
import type { CappedMessage, Found } from '#engine/store.ts';
import { plainColumn, textColumn } from './columns.ts';

/**
 * Counts messages of one workspace, each address as often as it is wanted and has room. $1 workspace, $2 channels, $3 keys, $4 how many, $5 the Monday of the
 * week, $6 the day in it from 1 on, $7 at most a day, $8 at most a week. In the order of the keys, so that no two claims wait for each other; what another
 * claim has counted is seen, because its row is locked until it commits.
 */
const countSent = {
  name: 'count-sent',
  text: `
  insert into sent_counts as s (workspace_id, channel, recipient, week, days, newest)
  select $1, u.channel, u.key, $5::date,
         array(select case when day = $6 then least(u.wanted, $7, $8) else 0 end::smallint from generate_series(1, 7) day), least(u.wanted, $7, $8)
    from unnest($2::text[], $3::text[], $4::integer[]) as u (channel, key, wanted)
   order by u.channel, u.key
  on conflict (workspace_id, channel, recipient, week) do update
     set (newest, days[$6]) = (
       select n, s.days[$6] + n
         from (select greatest(0, least(excluded.newest, $7 - s.days[$6], $8 - (select sum(day) from unnest(s.days) day)))::smallint as n) counted)
  returning channel, recipient as key, newest as counted, (select sum(day) from unnest(days) day)::integer as of_week`,
};

// As many as a smallint holds.
const anyNumber = 32_767;

export async function takeCapacity(
  client: PoolClient,
  { asked, now }: { asked: readonly CappedMessage[]; now: Temporal.Instant },
): ReturnType<Found['takeCapacity']> {
  const full = new Map<number, { isWeekFull: boolean }>();
  const ofWorkspaces = Map.groupBy(asked.entries(), ([, { workspaceId }]) => workspaceId);
  for (const [workspaceId, messages] of [...ofWorkspaces].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [, { cap }] = messages[0] ?? [0, { cap: null }];
    if (cap === null) continue;
    const wanted = [...Map.groupBy(messages, ([, one]) => keyOf(one)).values()];
    const { week, day } = capDayAt(cap, now);
    const perWeek = cap.perWeek ?? anyNumber;
    const { rows } = await client.query<{ channel: string; key: string; counted: number; of_week: number }>({
      ...countSent,
      values: [
        workspaceId,
        plainColumn(wanted, ([first]) => first?.[1].channel ?? ''),
        textColumn(wanted, ([first]) => first?.[1].key ?? ''),
        wanted.map((same) => same.length),
        week,
        day,
        cap.perDay ?? anyNumber,
        perWeek,
      ],
    });
    const found = new Map(rows.map((row) => [keyOf(row), row]));
    for (const same of wanted) {
      const row = same[0] && found.get(keyOf(same[0][1]));
      for (const [at] of same.slice(row?.counted ?? 0)) full.set(at, { isWeekFull: (row?.of_week ?? 0) >= perWeek });
    }
  }
  return full;
}

const keyOf = ({ channel, key }: Pick<CappedMessage, 'key'> & { channel: string }) => `${channel} ${key}`;
