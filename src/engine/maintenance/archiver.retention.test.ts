import { beforeEach, describe, expect, it } from 'vitest';
import { archiverFixture } from '#testing/archiver.ts';

const archiver = archiverFixture();
const { open, sweep, set, insertJob, idsOf, countOf, day } = archiver;

describe('retention', () => {
  beforeEach(() => open(Temporal.Now.instant()));

  it('deletes what ended before the days of the workspace, with its ledger, and never what is open', async () => {
    const other = await archiver.fixture.createWorkspace('Oak Street');
    await set({ retentionDays: 90 });
    for (const status of ['completed', 'failed', 'cancelled']) await insertJob({ status, at: day(91) });
    const kept = [
      await insertJob({ status: 'completed', at: day(89) }),
      await insertJob({ status: 'failed', at: day(200), ended: day(80) }),
      await insertJob({ status: 'pending', at: day(400) }),
      await insertJob({ status: 'running', at: day(400) }),
      await insertJob({ status: 'paused', at: day(400) }),
      await insertJob({ status: 'completed', at: day(400), of: other }),
    ];
    expect((await sweep()).deleted).toBe(3);
    expect(await idsOf('true')).toEqual(kept.toSorted());
    expect([await countOf('deliveries'), await countOf('job_executions'), await countOf('queue')]).toEqual([6, 6, 1]);
  });

  it('deletes archived jobs as well', async () => {
    await set({ retentionDays: 60, autoArchiveJobs: true });
    await insertJob({ status: 'completed', at: day(45) });
    expect(await sweep()).toMatchObject({ archived: 1, deleted: 0 });
    archiver.fixture.clock.advance({ hours: 24 * 20 });
    expect(await sweep()).toMatchObject({ archived: 0, deleted: 1 });
  });

  it('keeps an occurrence that was cancelled before its time, so that it is not scheduled again', async () => {
    await set({ retentionDays: 30 });
    const cancelled = await insertJob({ status: 'cancelled', at: day(-300), ended: day(100) });
    expect((await sweep()).deleted).toBe(0);
    expect(await idsOf('true')).toEqual([cancelled]);
  });

  it.each([null, 'forever', {}, false])('keeps everything where the setting is %j', async (retentionDays) => {
    await set({ retentionDays });
    await insertJob({ status: 'completed', at: day(4000) });
    expect((await sweep()).deleted).toBe(0);
  });

  it('never takes what is younger than 30 days, whatever is written in the settings', async () => {
    await set({ retentionDays: 1 });
    await insertJob({ status: 'completed', at: day(29) });
    await insertJob({ status: 'completed', at: day(31) });
    expect((await sweep()).deleted).toBe(1);
  });

  it('goes through more than one transaction holds', async () => {
    await set({ retentionDays: 30 });
    await archiver.owner.query(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, paused_at)
       select $1, 'Rent', 'api_notification', case when n % 5 = 0 then 'paused' else 'completed' end, at, at,
              case when n % 5 > 0 then at end, case when n % 5 = 0 then at end
         from (select n, $2::timestamptz + n / 700 * interval '1 s' as at from generate_series(1, 2000) n) made`,
      [archiver.workspace.workspaceId, day(50)],
    );
    expect((await sweep()).deleted).toBe(1600);
    expect(await countOf('jobs')).toBe(400);
  });

  it('deletes what was counted for a cap, two weeks after its week began', async () => {
    await archiver.owner.query(
      `insert into sent_counts (workspace_id, channel, recipient, week, days, newest)
       select $1, 'email', 'ann@example.com', at::date, '{1,0,0,0,0,0,0}', 1 from unnest(array[$2, $3]::timestamptz[]) at`,
      [archiver.workspace.workspaceId, day(16), day(12)],
    );
    expect((await sweep()).forgotten).toBe(1);
    expect(await countOf('sent_counts')).toBe(1);
  });

  it("deletes an event and its key with the event's last job", async () => {
    await set({ retentionDays: 30 });
    const events = await archiver.owner.query<{ id: string }>(
      `insert into events (workspace_id, key, event, request_hash, occurred_at, created_at)
       select $1, n::text, 'signup', 'h', $2, $2 from generate_series(1, 3) n returning id`,
      [archiver.workspace.workspaceId, day(50)],
    );
    const [ended, open, none] = events.rows.map((row) => row.id);
    const jobs = [
      await insertJob({ status: 'completed', at: day(50) }),
      await insertJob({ status: 'paused', at: day(50) }),
    ];
    await archiver.owner.query('update jobs set event_id = $2 where id = $1', [jobs[0], ended]);
    await archiver.owner.query('update jobs set event_id = $2 where id = $1', [jobs[1], open]);
    expect((await sweep()).deleted).toBe(3);
    const left = await archiver.owner.query<{ id: string }>('select id from events');
    expect(left.rows).toEqual([{ id: open }]);
    expect(none).not.toBe(open);
  });

  it('of requests, audit entries and sandbox messages is the same for every workspace', async () => {
    await archiver.owner.query(
      `insert into idempotency_keys (user_id, key, request_hash, created_at)
       values (uuidv7(), 'old', 'h', $1), (uuidv7(), 'young', 'h', $2)`,
      [day(8), day(6)],
    );
    await archiver.owner.query("insert into audit_log (action, created_at) values ('old', $1), ('young', $2)", [
      day(401),
      day(399),
    ]);
    await archiver.owner.query(
      `insert into sandbox_messages (workspace_id, channel, sender, recipient, subject, body_text, raw_size, received_at)
       select null, 'email', 'a', 'b', subject, '', 1, at from (values ('old', $1::timestamptz), ('young', $2)) as u (subject, at)`,
      [day(31), day(29)],
    );
    await archiver.owner.query(
      `insert into sandbox_messages (workspace_id, channel, sender, recipient, subject, body_text, raw_size, received_at)
       select $1, 'email', 'a', 'b', n::text, '', 1, $2::timestamptz + n * interval '1 s' from generate_series(1, 5003) n`,
      [archiver.workspace.workspaceId, day(2)],
    );
    expect((await sweep()).forgotten).toBe(6);
    const left = await archiver.owner.query<{ what: string }>(
      `select key as what from idempotency_keys union all select action from audit_log where action in ('old', 'young')
       union all select subject from sandbox_messages where workspace_id is null
       union all select min(subject::int)::text from sandbox_messages where workspace_id is not null`,
    );
    expect(left.rows.map((row) => row.what)).toEqual(['young', 'young', 'young', '4']);
  });

  it('deletes every expired session, verification and count, and no other, in small steps', async () => {
    const { rows: people } = await archiver.owner.query<{ id: string }>('select id from profiles limit 1');
    const user = people[0]?.id;
    const about = [
      ['gone', '-1 hour'],
      ['kept', '1 hour'],
    ];
    for (const [name, age] of about) {
      await archiver.owner.query(
        `insert into auth_sessions (user_id, token, expires_at)
         select $1, $2::text || n, now() + $3::interval from generate_series(1, 600) n`,
        [user, name, age],
      );
      await archiver.owner.query(
        `insert into auth_verifications (identifier, value, expires_at)
         select $1, n::text, now() + $2::interval from generate_series(1, 600) n`,
        [name, age],
      );
      await archiver.owner.query(
        `with people as (
           insert into profiles (email, full_name) select $1::text || n || '@example.com', 'Ann' from generate_series(1, 600) n returning id, email
         )
         insert into auth_email_changes (user_id, email, token_hash, expires_at) select id, 'x' || email, $1::text || id, now() + $2::interval from people`,
        [name, age],
      );
      await archiver.owner.query(
        `insert into request_counts (subject, bucket, used, expires_at)
         select $1::text || n, 'sign-in', 1, now() + $2::interval from generate_series(1, 600) n`,
        [name, age],
      );
    }
    expect((await sweep()).forgotten).toBe(2_400);
    for (const column of [
      'token from auth_sessions',
      'identifier from auth_verifications',
      'token_hash from auth_email_changes',
      'subject from request_counts',
    ]) {
      const { rows } = await archiver.owner.query<{ count: number; kept: boolean }>(
        `select count(*)::int as count, bool_and(name like 'kept%') as kept from (select ${column}) as t(name)`,
      );
      expect(rows, column).toEqual([{ count: 600, kept: true }]);
    }
  });

  it('deletes pauses of recipients that have ended, and nothing else of the suppression list', async () => {
    const { workspaceId } = archiver.workspace;
    const now = archiver.fixture.clock.now();
    const rows: [string, string, string | null][] = [
      ['over', 'paused', now.subtract({ seconds: 1 }).toString()],
      ['ahead', 'paused', '2999-01-01T00:00:00Z'],
      ['left', 'unsubscribed', null],
    ];
    for (const [recipient, reason, endsAt] of rows)
      await archiver.owner.query(
        `insert into suppressions (workspace_id, channel, recipient, reason, covers, ends_at, created_at)
         values ($1, 'email', $2, $3, 'optional', $4, '2020-01-01')`,
        [workspaceId, recipient, reason, endsAt],
      );
    await sweep();
    const found = await archiver.owner.query('select recipient from suppressions order by recipient');
    expect(found.rows.map(({ recipient }) => recipient)).toEqual(['ahead', 'left']);
  });

  it('does not let the engine delete unexpired sessions and verifications', async () => {
    await archiver.owner.query(
      "insert into auth_verifications (identifier, value, expires_at) values ('x', 'y', now() + interval '1 minute')",
    );
    const { rows } = await archiver.fixture.database.engine.query(
      "select delete_expired('auth_sessions', 'infinity', 9) as sessions, delete_expired('auth_verifications', 'infinity', 9) as verifications",
    );
    expect(rows).toEqual([{ sessions: 0, verifications: 0 }]);
    for (const table of ['auth_sessions', 'auth_verifications', 'request_counts'])
      await expect(archiver.fixture.database.engine.query(`delete from ${table}`)).rejects.toThrow(/permission denied/);
  });

  it('does not let the engine delete audit entries of the last 400 days or stored responses younger than a day', async () => {
    await archiver.owner.query("insert into audit_log (action, created_at) values ('x', now() - interval '399 days')");
    await archiver.owner.query("insert into idempotency_keys (user_id, key, request_hash) values (uuidv7(), 'k', 'h')");
    const { rows } = await archiver.fixture.database.engine.query(
      "select delete_old_acts('infinity', 100) as acts, delete_expired('idempotency_keys', 'infinity', 100) as requests",
    );
    expect(rows).toEqual([{ acts: 0, requests: 0 }]);
    await expect(
      archiver.fixture.database.engine.query("select delete_expired('profiles', 'infinity', 9)"),
    ).rejects.toThrow('profiles is not deleted by age');
    for (const table of ['audit_log', 'idempotency_keys', 'events'])
      await expect(archiver.fixture.database.engine.query(`delete from ${table}`)).rejects.toThrow(/permission denied/);
  });
});
