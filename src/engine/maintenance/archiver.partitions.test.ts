import { beforeEach, describe, expect, it } from 'vitest';
import { archiverFixture } from '#testing/archiver.ts';

const archiver = archiverFixture();
const { open, sweep, set, insertJob, idsOf, day } = archiver;

describe('the partitions of the ledger', () => {
  beforeEach(async () => {
    await open(Temporal.Instant.from('2026-03-02T08:00:00Z'));
    // The migrations create the partitions for the real day of the run.
    const { rows } = await archiver.owner.query<{ name: string }>(
      "select relname as name from pg_class where relispartition and relname ~ '\\d$' and relkind = 'r'",
    );
    for (const { name } of rows) await archiver.owner.query(`drop table ${name}`);
  });

  const months = async (parent = 'deliveries') =>
    (
      await archiver.owner.query<{ name: string }>(
        `select relname as name from pg_inherits join pg_class c on c.oid = inhrelid
          where inhparent = $1::regclass and relname ~ '\\d$' order by 1`,
        [parent],
      )
    ).rows.map((row) => row.name.slice(-7));

  const partitionOf = async (table: string, job: string) =>
    (
      await archiver.owner.query<{ name: string }>(
        `select tableoid::regclass::text as name from ${table} where job_id = $1`,
        [job],
      )
    ).rows[0]?.name;

  it('exist from last month to the fourth month ahead, however long the engine runs', async () => {
    expect((await sweep()).months).toBe(12);
    const first = ['2026_02', '2026_03', '2026_04', '2026_05', '2026_06', '2026_07'];
    expect([await months(), await months('job_executions')]).toEqual([first, first]);
    expect((await sweep()).months).toBe(0);
    archiver.fixture.clock.advance({ hours: 24 * 30 });
    expect((await sweep()).months).toBe(2);
    expect(await months()).toEqual([...first, '2026_08']);
  });

  it('take over rows that were written before they were created', async () => {
    const [march, old] = [
      await insertJob({ status: 'completed', at: day(1) }),
      await insertJob({ status: 'completed', at: day(900) }),
    ];
    expect(await partitionOf('deliveries', march)).toBe('deliveries_other');
    await sweep();
    expect(await partitionOf('deliveries', march)).toBe('deliveries_2026_03');
    expect(await partitionOf('job_executions', march)).toBe('job_executions_2026_03');
    expect(await partitionOf('deliveries', old)).toBe('deliveries_other');
    const seen = await archiver.fixture.deliveries(archiver.workspace);
    expect(seen.map((delivery) => delivery.job_id).toSorted()).toEqual([march, old].toSorted());
  });

  it('are as inaccessible to requests as the other tables', async () => {
    const mine = await insertJob({ status: 'completed', at: day(1) });
    await insertJob({ status: 'completed', at: day(1), of: await archiver.fixture.createWorkspace('Oak Street') });
    await sweep();
    expect((await archiver.fixture.deliveries(archiver.workspace)).map((delivery) => delivery.job_id)).toEqual([mine]);
    const { rows } = await archiver.owner.query(
      "select relname from pg_class where relname ~ '^(deliveries|job_executions)' and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)",
    );
    expect(rows).toEqual([]);
  });

  it('are created by the next sweep when a long read holds the lock', async () => {
    await archiver.owner.query('begin; lock table deliveries in access share mode');
    expect((await sweep()).months).toBe(0);
    await archiver.owner.query('rollback');
    expect((await sweep()).months).toBeGreaterThan(0);
  });

  it('are dropped once they are in the past and empty', async () => {
    await set({ retentionDays: 30 });
    await sweep();
    const gone = await insertJob({ status: 'completed', at: '2026-03-10T09:00:00Z' });
    const open = await insertJob({ status: 'paused', at: '2026-04-10T09:00:00Z' });
    archiver.fixture.clock.advance({ hours: 24 * 150 });
    expect(await sweep()).toMatchObject({ deleted: 1, dropped: 4 });
    expect(await idsOf('true')).toEqual([open]);
    expect(gone).not.toBe(open);
    expect((await months()).slice(0, 3)).toEqual(['2026_04', '2026_05', '2026_06']);
    expect(await partitionOf('deliveries', open)).toBe('deliveries_2026_04');
  });

  it.each(['with', 'without'])(
    'are not dropped while they hold rows, for an owner that is no superuser, %s policies that let it see the rows',
    async (policiesAre) => {
      const name = `owner_${archiver.workspace.workspaceId.replaceAll('-', '')}`;
      const { rows } = await archiver.owner.query<{ tables: string[] }>(
        "select array_agg(relname::text) as tables from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
      );
      await archiver.owner.query(`create role ${name} nosuperuser; grant create, usage on schema public to ${name}`);
      for (const table of rows[0]?.tables ?? []) await archiver.owner.query(`alter table ${table} owner to ${name}`);
      for (const signature of [
        'make_month_partition(text, date)',
        'drop_empty_months(date)',
        'allow_owner_reads()',
        // Each new partition gets its own trigger.
        'report_deliveries()',
        'mark_changed_quarters()',
        'has_webhooks(uuid)',
      ])
        await archiver.owner.query(`alter function ${signature} owner to ${name}`);
      const { rows: policies } = await archiver.owner.query<{ policy: string; table: string }>(
        "select polname as policy, polrelid::regclass::text as table from pg_policy where polname in ('follow_parents', 'owner_reads', 'owner_deletes')",
      );
      for (const { policy, table } of policies)
        await archiver.owner.query(
          policiesAre === 'with'
            ? `alter policy ${policy} on ${table} to ${name}`
            : `drop policy ${policy} on ${table}`,
        );
      const came = policiesAre === 'with' ? [await insertJob({ status: 'completed', at: day(1) })] : [];
      await sweep();
      came.push(await insertJob({ status: 'completed', at: day(1) }));
      archiver.fixture.clock.advance({ hours: 24 * 200 });
      await sweep();
      for (const job of came) expect(await partitionOf('deliveries', job)).toBe('deliveries_2026_03');
      expect(await months()).not.toContain('2026_02');
      await archiver.owner.query(`reassign owned by ${name} to current_user; drop owned by ${name}; drop role ${name}`);
    },
  );
});
