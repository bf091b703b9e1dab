import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('the deliveries of a range as a file', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    owner = cuebird.owner;
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
    await add(workspace, { name: 'January', at: '2026-01-10T09:00:00Z', recipients: 1_500 });
    await add(workspace, { name: 'March', at: '2026-03-10T09:00:00Z', recipients: 2 });
    await owner.query("update jobs set archived_at = now() where name = 'January'");
    await add(await dana.createWorkspace('Oak Lane'), { name: 'Other', at: '2026-01-10T09:00:00Z', recipients: 3 });
  });
  afterAll(() => cuebird.stop());

  /** A completed job with deliveries, the first to a recipient whose name is a formula. */
  const add = (of: string, { name, at, recipients }: { name: string; at: string; recipients: number }) =>
    owner.query(
      `with job as (
         insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at)
         values ($1, $2, 'api_notification', 'completed', $3, $3, $3) returning id
       )
       insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, attempts)
       select $1, job.id, $3, 'email', 'r' || lpad(n::text, 4, '0') || '@example.com', case n when 1 then '=1+1' end,
              case n when 2 then 'failed' else 'delivered' end, 1
         from job, generate_series(1, $4::int) n`,
      [of, name, at, recipients],
    );
  const linesOf = async (query = '') => {
    const response = await fetch(`${cuebird.url}/api/deliveries/export?${query}`, {
      headers: { cookie: dana.cookie, 'x-workspace-id': workspace },
    });
    expect(response.status).toBe(200);
    return (await response.text()).trimEnd().split('\r\n').slice(1);
  };

  it('has each delivery once, over several pages, of archived jobs too and of no other workspace', async () => {
    const lines = await linesOf();
    expect(lines).toHaveLength(1_502);
    expect(new Set(lines).size).toBe(1_502);
    expect(lines.map((line) => line.split(',')[0])).toEqual([
      ...Array.from({ length: 1_500 }, () => 'January'),
      'March',
      'March',
    ]);
  });

  it('is limited to a range, a channel and a status', async () => {
    expect(await linesOf('from=2026-02-01T00:00:00Z&to=2026-04-01T00:00:00Z')).toHaveLength(2);
    expect(await linesOf('to=2026-02-01T00:00:00Z&status=failed')).toHaveLength(1);
    expect(await linesOf('channel=sms')).toEqual([]);
  });

  it('has no formulas', async () => {
    const [first] = await linesOf('from=2026-02-01T00:00:00Z');
    expect(first).toContain(",r0001@example.com,'=1+1,delivered,1,");
  });

  it('says what was sent by preference, as the export of a job does', async () => {
    const { rows } = await owner.query(
      `update deliveries d set by_preference = true from jobs j
        where j.id = d.job_id and j.name = 'March' and d.workspace_id = $1 and d.recipient = 'r0002@example.com' returning d.job_id`,
      [workspace],
    );
    expect((await linesOf('from=2026-02-01T00:00:00Z')).map((line) => line.endsWith(',yes,'))).toEqual([false, true]);
    const file = await fetch(`${cuebird.url}/api/jobs/${rows[0].job_id}/deliveries.csv`, {
      headers: { cookie: dana.cookie, 'x-workspace-id': workspace },
    });
    const lines = (await file.text()).trimEnd().split('\r\n');
    expect(lines.filter((line) => line.endsWith(',yes')).map((line) => line.split(',')[4])).toEqual([
      'r0002@example.com',
    ]);
  });
});
