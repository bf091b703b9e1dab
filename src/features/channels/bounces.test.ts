import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { autoReply, fromPostfix } from '#delivery/email/bounces.fixture.ts';
import { mailNameOf } from '#delivery/email/message-names.ts';
import { createAccounts } from '#sandbox/accounts.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { untilFound } from '#testing/changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { mailServer } from '#testing/mail-servers.ts';
import { closeServers } from '#testing/tcp-server.ts';

describe('a bounce at the callback URL of an email channel', () => {
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
  afterEach(closeServers);
  afterAll(() => cuebird.stop());

  /** Where bounces of a channel of its own come in. */
  async function openChannel(of = workspace): Promise<string> {
    const { port } = await mailServer();
    const { json } = await dana.call('POST', '/api/channels', {
      workspace: of,
      body: {
        name: 'Office',
        type: 'email',
        configuration: { smtp_host: '127.0.0.1', smtp_port: port, username: 'office@elm.example', use_tls: false },
      },
    });
    return json.callback_url;
  }

  /** Sends now; resolves with the ledger's line once the job has ended. */
  async function send(recipient = 'Ann <Ann@Example.com>', of = workspace) {
    const { json: reminder } = await dana.call('POST', '/api/reminders', {
      workspace: of,
      body: {
        name: 'Rent',
        status: 'active',
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'once',
          startDate: new Date(Date.now() - 60_000).toISOString().slice(0, 19),
          timezone: 'UTC',
        },
        content: { subject: 'Rent is due', message: 'Pay, please', recipients: [recipient] },
        metadata: { channels: ['email'] },
      },
    });
    return untilFound(cuebird.databaseUrl, async () => {
      const { rows } = await database.query(
        `select d.id, d.job_id, d.status, d.reason from deliveries d join jobs j on j.id = d.job_id
          where j.reminder_id = $1 and j.status in ('completed', 'failed', 'cancelled')`,
        [reminder.id],
      );
      return rows[0] ?? null;
    });
  }

  type Sent = { id: string; job_id: string };
  const noUser = { action: 'failed', status: '5.1.1', diagnostic: '550 5.1.1 User unknown' };

  const post = (url: string, { id, job_id }: Sent, fields = noUser) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body: fromPostfix(fields, { envelopeId: mailNameOf({ deliveryId: id, jobId: job_id }), returned: [] }),
    });

  async function stateOf({ id, job_id }: Sent) {
    const { rows } = await database.query(
      `select d.status, d.reason, d.reason_code, d.provider_answer, j.status as job, j.error_message, j.reason_code as job_code
         from deliveries d join jobs j on j.id = d.job_id where d.id = $1 and d.job_id = $2`,
      [id, job_id],
    );
    return rows[0];
  }

  async function suppressions(of = workspace) {
    const { rows } = await database.query(
      'select channel, recipient, reason from suppressions where workspace_id = $1',
      [of],
    );
    return rows;
  }

  it('of an unknown mailbox fails the delivery and its job, and suppresses the recipient', async () => {
    const url = await openChannel();
    const sent = await send();
    expect(await stateOf(sent)).toMatchObject({ status: 'accepted', job: 'completed' });
    for (let n = 0; n < 2; n++) expect((await post(url, sent)).status).toBe(200);
    expect(await stateOf(sent)).toMatchObject({
      status: 'failed',
      reason: 'Bounced: 550 5.1.1 User unknown',
      reason_code: 'no_such_address',
      job: 'failed',
      error_message: '1 of 1 failed: Bounced: 550 5.1.1 User unknown',
    });
    expect(await suppressions()).toEqual([{ channel: 'email', recipient: 'ann@example.com', reason: 'bounced' }]);
    expect(await send('ANN@example.com')).toMatchObject({
      status: 'skipped',
      reason: 'The recipient is on the suppression list',
    });
  });

  it('leaves no code of a stop on the job, whose message then counts deliveries', async () => {
    const url = await openChannel();
    const sent = await send();
    await database.query(
      `update jobs set error_message = 'The reminder was edited', reason_code = 'reminder_edited' where id = $1`,
      [sent.job_id],
    );
    await post(url, sent);
    expect(await stateOf(sent)).toMatchObject({
      error_message: '1 of 1 failed: Bounced: 550 5.1.1 User unknown',
      job_code: null,
    });
  });

  it('has the code of its status, whatever the words of the server', async () => {
    const url = await openChannel();
    const sent = await send();
    await post(url, sent, { action: 'failed', status: '5.1.1', diagnostic: '550 Postfach voll von Spam' });
    expect(await stateOf(sent)).toMatchObject({ status: 'failed', reason_code: 'no_such_address' });
    expect(await suppressions()).toHaveLength(1);
  });

  it('for any other reason fails the delivery and does not suppress the recipient', async () => {
    const url = await openChannel();
    const sent = await send();
    await post(url, sent, { action: 'failed', status: '5.2.2', diagnostic: '552 5.2.2 Mailbox full' });
    expect(await stateOf(sent)).toMatchObject({
      status: 'failed',
      reason: 'Bounced: 552 5.2.2 Mailbox full',
      reason_code: 'mailbox_full',
    });
    expect(await suppressions()).toEqual([]);
    expect(await send()).toMatchObject({ status: 'accepted' });
  });

  it('about a delay is stored with the delivery, which stays accepted', async () => {
    const url = await openChannel();
    const sent = await send();
    await post(url, sent, { action: 'delayed', status: '4.4.1', diagnostic: 'connection timed out' });
    expect(await stateOf(sent)).toMatchObject({
      status: 'accepted',
      provider_answer: 'Delayed: connection timed out',
      job: 'completed',
    });
    await post(url, sent);
    expect(await stateOf(sent)).toMatchObject({ status: 'failed', job: 'failed' });
  });

  it('about a successful delivery marks it as delivered, and a later failure does not change that', async () => {
    const url = await openChannel();
    const sent = await send();
    await post(url, sent, { action: 'delivered', status: '2.0.0', diagnostic: '250 stored' });
    expect(await stateOf(sent)).toMatchObject({ status: 'delivered', reason: null, job: 'completed' });
    await post(url, sent);
    expect(await stateOf(sent)).toMatchObject({ status: 'delivered', job: 'completed' });
    expect(await suppressions()).toEqual([]);
  });

  it('with another workspace’s mail changes nothing in that workspace', async () => {
    const url = await openChannel();
    const other = await dana.createWorkspace('Oak Street');
    await openChannel(other);
    const theirs = await send('bea@example.com', other);
    expect((await post(url, theirs)).status).toBe(200);
    expect(await stateOf(theirs)).toMatchObject({ status: 'accepted', job: 'completed' });
    expect([await suppressions(), await suppressions(other)]).toEqual([[], []]);
  });

  it('that is invalid is accepted without effect; a wrong URL answers 404', async () => {
    const url = await openChannel();
    const sent = await send();
    for (const body of [autoReply, 'Hello', ''])
      expect((await fetch(url, { method: 'POST', body, headers: { 'content-type': 'text/plain' } })).status).toBe(200);
    expect(
      (
        await post(
          url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
          sent,
        )
      ).status,
    ).toBe(404);
    expect((await fetch(url)).status).toBe(401);
    expect(await stateOf(sent)).toMatchObject({ status: 'accepted' });
  });

  it('above 600 in a minute is refused before it is read, until a minute has passed, and another channel is not', async () => {
    const url = await openChannel();
    const other = await openChannel();
    const sent = await send();
    expect((await fetch(url, { method: 'POST', body: 'Hello' })).status).toBe(200);
    const { rowCount } = await database.query(
      `update request_counts set used = 600 where workspace_id = $1 and bucket like 'callbacks.%'`,
      [workspace],
    );
    expect(rowCount).toBe(1);
    const tooLarge = Buffer.alloc(3 * 1024 * 1024 + 1, 'x');
    const refused = await fetch(url, { method: 'POST', body: tooLarge });
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.closeTo(60, -1)]);
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('More than 600 callbacks in a minute.') },
    });
    expect((await post(other, sent)).status).toBe(200);
    expect(await stateOf(sent)).toMatchObject({ status: 'failed' });
    await database.query(`update request_counts set expires_at = now() where workspace_id = $1`, [workspace]);
    expect((await post(url, sent)).status).toBe(200);
  });

  it('that is too large is refused without reading it', async () => {
    const url = await openChannel();
    const body = Buffer.alloc(3 * 1024 * 1024 + 1, 'x');
    expect((await fetch(url, { method: 'POST', body })).status).toBe(413);
  });

  describe.each([
    ['the installation’s own way', async () => undefined],
    ['a channel of the workspace', () => openSandboxChannel()],
  ])('from the sandbox, over %s', (_, prepare) => {
    it.each([
      ['bounce@cuebird.test', '550 5.1.1 No such user here', true],
      ['bounce-full@cuebird.test', '552 5.2.2 The mailbox is full', false],
    ])('is simulated by writing to %s, and read in the inbox', async (recipient, words, isSuppressed) => {
      await prepare();
      const sent = await send(recipient);
      const reported = await untilFound(cuebird.databaseUrl, async () => {
        const { json } = await dana.call('GET', '/api/inbox', { workspace });
        return json.data.find(({ report }: { report: unknown }) => report !== null);
      });
      expect(reported).toMatchObject({ recipient, report: { status: 'failed', answer: 'HTTP 200' } });
      expect(await stateOf(sent)).toMatchObject({ status: 'failed', reason: `Bounced: ${words}`, job: 'failed' });
      expect(await suppressions()).toEqual(isSuppressed ? [{ channel: 'email', recipient, reason: 'bounced' }] : []);

      const { json } = await dana.call('GET', `/api/inbox?reply_to=${reported.id}`, { workspace });
      expect(json.data).toMatchObject([
        {
          channel: 'email',
          sender: 'MAILER-DAEMON@cuebird.test',
          recipient: 'reminders@cuebird.test',
          subject: 'Undelivered Mail Returned to Sender',
          text: expect.stringContaining(`<${recipient}>: ${words}`),
          raw: expect.stringContaining('Content-Type: message/delivery-status'),
        },
      ]);
    });
  });

  async function openSandboxChannel(): Promise<void> {
    const { json } = await dana.call('GET', '/api/inbox/addresses', { workspace });
    const created = await dana.call('POST', '/api/channels', {
      workspace,
      body: {
        name: 'Sandbox',
        type: 'email',
        configuration: {
          smtp_host: json.smtp_host,
          smtp_port: json.smtp_port,
          username: workspace,
          password: mailPasswordOf(workspace),
          from_email: 'reminders@cuebird.test',
          use_tls: false,
        },
      },
    });
    expect(created.status).toBe(201);
  }
});

/** What the sandbox's mail server asks of a workspace. */
const mailPasswordOf = (workspace: string) =>
  createAccounts(createSecretBox(TEST_ENCRYPTION_KEY).deriveKey('sandbox')).secretOf('smtp', workspace);
