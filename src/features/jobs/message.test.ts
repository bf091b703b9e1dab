import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '#contract/jobs.ts';
import { untilFound } from '#testing/changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('the message of a recipient', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  type Options = { content?: object; channels?: string[]; at?: Date };

  const bodyOf = ({ content = {}, channels = ['email'], at = new Date(Date.now() - 60_000) }: Options) => ({
    name: 'Rent',
    status: 'active',
    schedule_config: {
      type: 'scheduled',
      scheduleType: 'once',
      startDate: at.toISOString().slice(0, 19),
      timezone: 'UTC',
    },
    content: {
      subject: 'Rent is due',
      message: 'Dear {{recipient_name}}',
      recipients: ['Ann <ann@example.com>'],
      ...content,
    },
    metadata: { channels, priority: 'medium' },
  });

  async function create(options: Options = {}): Promise<{ reminder: string; job: Job }> {
    const { json } = await dana.call('POST', '/api/reminders', { workspace, body: bodyOf(options) });
    const [job] = (await dana.call('GET', `/api/jobs?reminder_id=${json.id}`, { workspace })).json.data;
    return { reminder: json.id, job };
  }

  /** Sends now; resolves once the job has ended. */
  async function send(options: Options = {}) {
    const made = await create(options);
    await untilFound(cuebird.databaseUrl, async () => {
      const { json } = await dana.call('GET', `/api/jobs/${made.job.id}`, { workspace });
      return json.status === 'completed' ? json : null;
    });
    return made;
  }

  const messageTo = (job: string, { channel = 'email', recipient = 'ann@example.com', as = dana } = {}) =>
    as.call('GET', `/api/jobs/${job}/message?${new URLSearchParams({ channel, recipient })}`, { workspace });

  it('is identical to the message that was sent, including its mail', async () => {
    const { job } = await send();
    const { json } = await messageTo(job.id);
    expect(json).toMatchObject({
      certainty: 'sent',
      message: { kind: 'email', to: 'Ann <ann@example.com>', subject: 'Rent is due' },
    });
    const [mail] = (await dana.call('GET', '/api/inbox', { workspace })).json.data;
    const { json: arrived } = await dana.call('GET', `/api/inbox/${mail.id}`, { workspace });
    const withoutLink = (text: string) => text.split('Unsubscribe')[0];
    expect(withoutLink(json.message.text)).toBe(withoutLink(arrived.text));
    const workspaceAsSender = 'Elm Street <reminders@cuebird.test>';
    expect([json.message.from, arrived.headers.from]).toEqual([workspaceAsSender, workspaceAsSender]);
    expect(json.message.html).toContain('<p>Dear Ann</p>');
  });

  it('is the mail that was sent also in Markdown, with the workspace’s colour and postal line', async () => {
    const settings = { mailColor: '#2563eb', postalLine: '12 Elm Street' };
    await dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body: { settings } });
    const { job } = await send({ content: { message: 'Dear **{{recipient_name}}**', format: 'markdown' } });
    const { json } = await messageTo(job.id);
    const [mail] = (await dana.call('GET', '/api/inbox', { workspace })).json.data;
    const { json: html } = await dana.call('GET', `/api/inbox/${mail.id}/html?workspace=${workspace}`);
    const withoutLink = (page: string) => page.replaceAll(/href="[^"]*"/g, '');
    expect(withoutLink(html)).toContain(withoutLink(json.message.html).trim());
    for (const part of ['Dear <strong>Ann</strong>', 'background-color:#2563eb', 'Elm Street<br>\n12 Elm Street<br>'])
      expect(json.message.html).toContain(part);
    expect(json).toMatchObject({ certainty: 'sent', message: { text: expect.stringMatching(/^Dear Ann\s/) } });
  });

  it('does not contain the unsubscribe link of its recipient', async () => {
    const { job } = await send();
    const { json } = await messageTo(job.id);
    expect(json.message.text).toContain('Unsubscribe: about:blank');
    expect(JSON.stringify(json)).not.toMatch(/\/unsubscribe\//);
  });

  it('is still the sent message after two edits of the reminder', async () => {
    const { reminder, job } = await send();
    for (const message of ['Second', 'Third']) {
      const later = bodyOf({ content: { message }, at: new Date('2098-01-01') });
      expect((await dana.call('PUT', `/api/reminders/${reminder}`, { workspace, body: later })).status).toBe(200);
    }
    const { json } = await messageTo(job.id);
    expect(json.certainty).toBe('sent');
    expect(json.message.text).toMatch(/^Dear Ann/);
    const { rows } = await database.query('select revision from reminder_texts where reminder_id = $1', [reminder]);
    expect(rows, 'a text that nobody was sent is not kept').toEqual([{ revision: 1 }]);
  });

  it('is marked as changed when its data has changed since', async () => {
    const { job } = await send({ content: { message: 'From {{company_name}}' } });
    await dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body: { name: 'Oak Street' } });
    expect((await messageTo(job.id)).json).toMatchObject({
      certainty: 'changed',
      message: { text: expect.stringMatching(/^From Oak Street/) },
    });
  });

  it('is lost when the reminder is deleted, with a reason', async () => {
    const { reminder, job } = await send();
    await database.query('delete from reminders where id = $1', [reminder]);
    expect((await messageTo(job.id)).json).toEqual({
      certainty: 'lost',
      reason: 'The reminder was deleted, and its text with it',
    });
  });

  it('is shown for each recipient before it is sent', async () => {
    const { job } = await create({ at: new Date('2098-01-01T09:00:00Z') });
    const { json: reach } = await dana.call('GET', `/api/jobs/${job.id}/reach?kind=reached`, { workspace });
    expect(reach).toMatchObject({
      total: 1,
      messages: 1,
      data: [{ name: 'Ann', is_reached: true, targets: [{ channel: 'email', recipient: 'ann@example.com' }] }],
    });
    expect((await messageTo(job.id)).json).toMatchObject({ certainty: 'unsent', message: { subject: 'Rent is due' } });
    const nobody = await messageTo(job.id, { recipient: 'eve@example.com' });
    expect([nobody.status, nobody.json.error.message]).toEqual([404, 'There is no such recipient of this job']);
  });

  it('is shown for each channel of a fallback chain, by contact', async () => {
    const contact = { name: 'Ann Lee', email: 'ann@example.com', phone: '+14155552671', timezone: null, variables: {} };
    expect((await dana.call('POST', '/api/contacts', { workspace, body: contact })).status).toBe(201);
    const body = bodyOf({ at: new Date('2098-01-01'), channels: ['email', 'sms'] });
    const { json: made } = await dana.call('POST', '/api/reminders', {
      workspace,
      body: { ...body, metadata: { ...body.metadata, channel_mode: 'in_order' } },
    });
    const [job] = (await dana.call('GET', `/api/jobs?reminder_id=${made.id}`, { workspace })).json.data;
    const { json } = await dana.call('GET', `/api/jobs/${job.id}/reach?kind=reached`, { workspace });
    expect(json.data).toHaveLength(1);
    expect(json.data[0].targets).toMatchObject([
      { channel: 'email', recipient: 'ann@example.com', is_fallback: false },
      { channel: 'sms', recipient: '+14155552671', is_fallback: true },
    ]);
    const { json: sms } = await messageTo(job.id, { channel: 'sms', recipient: '+14155552671' });
    expect(sms).toMatchObject({ certainty: 'unsent', message: { kind: 'text', title: null, text: 'Dear Ann' } });
  });

  it('names the variables without a value', async () => {
    const { job } = await create({
      at: new Date('2098-01-01'),
      content: { message: '{{amount}}', values: { amount: '1' } },
    });
    await database.query("update reminders set content = (content::jsonb - 'values')::json where workspace_id = $1", [
      workspace,
    ]);
    expect((await messageTo(job.id)).json).toEqual({ certainty: 'lost', reason: 'no value for {{amount}}' });
    expect((await dana.call('GET', `/api/jobs/${job.id}/reach`, { workspace })).json.counts).toEqual([
      { kind: 'reached', of: null, people: 0 },
      { kind: 'lacks_value', of: 'amount', people: 1 },
    ]);
  });

  it('of a webhook is the request without its secrets', async () => {
    const { json: addresses } = await dana.call('GET', '/api/inbox/addresses', { workspace });
    await dana.call('POST', '/api/channels', {
      workspace,
      body: {
        name: 'Hook',
        type: 'webhook',
        configuration: {
          url: addresses.webhook_url,
          secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
          headers: '{"X-Api-Key": "topsecret"}',
        },
      },
    });
    const { job } = await send({ channels: ['webhook'] });
    const { json } = await messageTo(job.id, { channel: 'webhook' });
    expect(json).toMatchObject({
      certainty: 'sent',
      message: { kind: 'request', method: 'POST', url: addresses.webhook_url },
    });
    expect(JSON.parse(json.message.body)).toMatchObject({ type: 'reminder.due', data: { message: 'Dear Ann' } });
    expect(json.message.headers).toEqual(
      expect.arrayContaining([
        { name: 'X-Api-Key', value: null },
        { name: 'webhook-signature', value: null },
        { name: 'content-type', value: 'application/json' },
      ]),
    );
    expect(JSON.stringify(json)).not.toMatch(/topsecret|whsec_|v1,/);
  });

  it('of a test is the text of the test', async () => {
    const { reminder } = await create({ at: new Date('2098-01-01') });
    const sent = await dana.call('POST', `/api/reminders/${reminder}/test`, {
      workspace,
      body: { recipients: ['ann@example.com'], subject: 'Test', message: 'Hello' },
    });
    expect(sent.status).toBeLessThan(300);
    const job = await untilFound(cuebird.databaseUrl, async () => {
      const { json } = await dana.call('GET', `/api/jobs?reminder_id=${reminder}&status=completed`, { workspace });
      return json.data[0] ?? null;
    });
    expect((await messageTo(job.id)).json).toMatchObject({ certainty: 'sent', message: { kind: 'email' } });
  });

  describe('in the CSV export', () => {
    const csvOf = async (job: string) => {
      const { headers, json } = await dana.call('GET', `/api/jobs/${job}/deliveries.csv?workspace=${workspace}`, {
        workspace,
      });
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(headers.get('content-disposition')).toBe(`attachment; filename="job-${job}.csv"`);
      return String(json)
        .split('\r\n')
        .filter((line) => line !== '');
    };

    it('has a line for each event', async () => {
      const { job } = await send();
      const [head, ...lines] = await csvOf(job.id);
      expect(head).toMatch(/Job,Job id,Scheduled for \(UTC\),Channel,Recipient,Name,Result,Event/);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(
        new RegExp(`^Rent,${job.id},${job.scheduled_for},email,ann@example.com,Ann,accepted,attempt,1,\\d{4}-`),
      );
    });

    it('is complete at any length, and starts no formula in a spreadsheet', async () => {
      const { job } = await create({ at: new Date('2098-01-01') });
      await database.query(
        `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, reason, completed_at)
         select $1, $2, $3, 'email', n || '@example.com', '=cmd|''/C calc''!A0', 'skipped', '@SUM(1)', now()
           from generate_series(1, 950) n`,
        [workspace, job.id, job.scheduled_for],
      );
      const [, ...lines] = await csvOf(job.id);
      expect(lines).toHaveLength(950);
      expect(new Set(lines.map((line) => line.split(',')[4])).size).toBe(950);
      for (const line of lines) expect(line).toMatch(/,'=cmd\|.*,'@SUM\(1\),/);
    });
  });

  describe('and the execution of its job', () => {
    it('is found by its id at any age, and not from another workspace', async () => {
      const { job } = await create({ at: new Date('2098-01-01') });
      const insert = (at: string) =>
        database.query<{ id: string }>(
          `insert into job_executions (workspace_id, job_id, status, started_at) values ($1, $2, 'failed', $3) returning id`,
          [workspace, job.id, at],
        );
      for (const at of [new Date().toISOString(), '2019-01-01T00:00:00Z']) {
        const [row] = (await insert(at)).rows;
        const { json } = await dana.call('GET', `/api/job-executions/${row?.id}`, { workspace });
        expect(json).toMatchObject({ id: row?.id, status: 'failed', job: { name: 'Rent' } });
        const other = await dana.createWorkspace('Other');
        const foreign = await dana.call('GET', `/api/job-executions/${row?.id}`, { workspace: other });
        expect([foreign.status, foreign.json.error.message]).toEqual([404, 'There is no such job execution']);
      }
    });
  });
});
