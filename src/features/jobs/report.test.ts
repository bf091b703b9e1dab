import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReportLine } from '#contract/deliveries.ts';
import { untilFound } from '#testing/changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('the report of a run', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    owner = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const call = async (method: string, path: string, body?: unknown) => {
    const { json } = await dana.call(method, path, { workspace, body });
    expect(json.error).toBeUndefined();
    return json;
  };

  const bodyOf = (message: string, year = 2026) => ({
    name: 'Rent of {{unit}}',
    status: 'active',
    schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: `${year}-01-02T09:00:00`, timezone: 'UTC' },
    content: { subject: 'Rent for {{unit}}', message, recipients: [] },
    metadata: { channels: ['email'], priority: 'medium', audience: { everyone: true } },
  });

  /** A reminder that was sent to Ann in flat 4 and Bob in flat 5, while Cy has no flat. */
  async function send() {
    for (const [name, unit] of [
      ['Ann', 'Flat 4'],
      ['Bob', 'Flat 5'],
      ['Cy', ''],
    ] as const) {
      const variables = unit === '' ? {} : { unit };
      const email = `${name.toLowerCase()}@example.com`;
      await call('POST', '/api/contacts', { name, email, phone: null, timezone: null, variables });
    }
    return runOf(bodyOf('Dear {{recipient_name}}, for {{unit}}'));
  }

  /** The job of a reminder that is due now, after it has ended. */
  async function runOf(body: object) {
    const startDate = new Date(Date.now() - 60_000).toISOString().slice(0, 19);
    const schedule_config = { ...bodyOf('').schedule_config, startDate };
    const { id: reminder } = await call('POST', '/api/reminders', { ...body, schedule_config });
    const job = await untilFound(cuebird.databaseUrl, async () => {
      const [found] = (await call('GET', `/api/jobs?reminder_id=${reminder}`)).data;
      return ['completed', 'failed'].includes(found?.status) ? found.id : null;
    });
    return { reminder, job };
  }

  const report = async (job: string, query = ''): Promise<{ data: ReportLine[]; next_cursor: string | null }> =>
    call('GET', `/api/jobs/${job}/report?${query}`);
  const messages = ({ data }: { data: ReportLine[] }) =>
    Object.fromEntries(data.map(({ recipient_name: name, message }) => [name, message]));

  const sent = (name: string, unit: string) => ({
    certainty: 'sent',
    name: `Rent of ${unit}`,
    title: `Rent for ${unit}`,
    text: `Dear ${name}, for ${unit}`,
  });

  it('has each person’s name, title and text as they were sent, also after edits', async () => {
    const { reminder, job } = await send();
    await call('PUT', `/api/reminders/${reminder}`, bodyOf('Another text', 2098));
    expect(messages(await report(job))).toEqual({
      Ann: sent('Ann', 'Flat 4'),
      Bob: sent('Bob', 'Flat 5'),
      Cy: expect.objectContaining({ certainty: 'lost' }),
    });
  });

  it('has the message of a Slack channel as its author wrote it', async () => {
    const { job } = await runOf({
      ...bodyOf(''),
      name: 'Water is off',
      content: { subject: 'Water', message: 'Hello {{recipient_name}}, @here: A & B <today>', recipients: [] },
      metadata: { channels: ['slack'], priority: 'medium' },
    });
    const [line] = (await report(job)).data;
    expect(line?.message).toEqual({
      certainty: 'sent',
      name: 'Water is off',
      title: 'Water',
      text: 'Hello everyone, @here: A & B <today>',
    });
  });

  it('counts the same people as the job, and has those first who got nothing', async () => {
    const { job } = await send();
    const { people } = await call('GET', `/api/jobs/${job}`);
    const { data } = await report(job);
    expect(people).toMatchObject({ total: 3, reached: 2, failed: 1 });
    expect(data.map(({ status }) => status)).toEqual(['failed', 'accepted', 'accepted']);
  });

  it('is that of one person, by contact or by address', async () => {
    const { job } = await send();
    const { data } = await report(job);
    const ann = data.find(({ recipient_name: name }) => name === 'Ann');
    expect(messages(await report(job, `contact=${ann?.contact_id}`))).toEqual({ Ann: sent('Ann', 'Flat 4') });
    expect(messages(await report(job, 'recipient=bob@example.com'))).toEqual({ Bob: sent('Bob', 'Flat 5') });
    expect(messages(await report(job, 'recipient=eve@example.com'))).toEqual({});
  });

  it('is compared with the text of its own revision, however many newer ones were sent', async () => {
    const { reminder, job } = await send();
    await call('PUT', `/api/reminders/${reminder}`, bodyOf('Another text', 2098));
    await owner.query(
      `insert into reminder_texts (workspace_id, reminder_id, revision, content, timezone)
       select workspace_id, reminder_id, revision + n, content || '{"message": "Later"}', timezone
         from reminder_texts, generate_series(1, 200) n where reminder_id = $1`,
      [reminder],
    );
    await owner.query('update reminders set revision = revision + 300 where id = $1', [reminder]);
    expect(messages(await report(job)).Ann).toEqual(sent('Ann', 'Flat 4'));
  });

  it('continues on the next page', async () => {
    const { job } = await send();
    const first = await report(job, 'limit=2');
    const second = await report(job, `limit=2&cursor=${first.next_cursor}`);
    const names = [...first.data, ...second.data].map(({ recipient_name: name }) => name);
    expect([first.data.length, second.data.length, new Set(names)]).toEqual([2, 1, new Set(['Ann', 'Bob', 'Cy'])]);
    const { status } = await dana.call('GET', `/api/jobs/${job}/report?limit=51`, { workspace });
    expect(status).toBe(400);
  });

  it('says where a text is no longer kept, and where values have changed', async () => {
    const { reminder, job } = await send();
    await owner.query(`update contacts set variables = '{"unit": "Flat 9"}' where workspace_id = $1 and name = 'Ann'`, [
      workspace,
    ]);
    expect(messages(await report(job)).Ann).toMatchObject({ certainty: 'changed', text: 'Dear Ann, for Flat 9' });
    await call('PUT', `/api/reminders/${reminder}`, bodyOf('Another text', 2098));
    await owner.query('delete from reminder_texts where reminder_id = $1', [reminder]);
    const lost = { certainty: 'lost', reason: 'The text of that time is no longer kept' };
    expect(messages(await report(job))).toEqual({ Ann: lost, Bob: lost, Cy: expect.anything() });
    await owner.query('delete from reminders where id = $1', [reminder]);
    const gone = { certainty: 'lost', reason: 'The reminder was deleted, and its text with it' };
    expect(messages(await report(job))).toEqual({ Ann: gone, Bob: gone, Cy: gone });
  });

  it('is a file with a line for each message, in which formulas are harmless', async () => {
    const { job } = await send();
    await owner.query(
      `update deliveries set recipient_name = '=1+1' where workspace_id = $1 and recipient like 'cy%'`,
      [workspace],
    );
    const fileOf = async (query: string) => {
      const headers = { cookie: dana.cookie, 'x-workspace-id': workspace };
      const response = await fetch(`${cuebird.url}/api/jobs/${job}/report.csv?${query}`, { headers });
      expect(response.headers.get('content-disposition')).toContain(`report-${job}.csv`);
      return (await response.text()).trimEnd().split('\r\n');
    };
    const all = await fileOf('');
    expect(all).toHaveLength(4);
    expect(all[1]).toMatch(/^'=1\+1,cy@example\.com,email,failed,/);
    expect(all.join('\n')).toContain('sent,Rent of Flat 5,Rent for Flat 5,"Dear Bob, for Flat 5"');
    expect(await fileOf('recipient=ann@example.com')).toHaveLength(2);
  });

  it('of ten thousand people is read in pages of fifty', async () => {
    const { job } = await send();
    await owner.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
       select workspace_id, id, scheduled_for, 'email', 'r' || n || '@example.com', 'delivered', 1
         from jobs, generate_series(1, 10000) n where id = $1`,
      [job],
    );
    const page = await report(job);
    expect([page.data.length, typeof page.next_cursor]).toEqual([50, 'string']);
    const headers = { cookie: dana.cookie, 'x-workspace-id': workspace };
    const file = await (await fetch(`${cuebird.url}/api/jobs/${job}/report.csv`, { headers })).text();
    expect(file.trimEnd().split('\r\n')).toHaveLength(10_004);
  });

  it('is not that of another workspace', async () => {
    const { job } = await send();
    const other = await dana.createWorkspace('Oak Lane');
    for (const path of ['report', 'report.csv'])
      expect((await dana.call('GET', `/api/jobs/${job}/${path}`, { workspace: other })).status).toBe(404);
  });
});
