import { describe, expect, it } from 'vitest';
import { untilFound } from '#testing/changes.ts';
import { expectGood } from './looks.ts';
import { describeScreens } from './screens.fixture.ts';

type Line = { channel: string; recipient: string; status: string; reason: string | null };

describe('a reminder that tries its channels in order', () => {
  const fixture = describeScreens();

  /** Sends now; resolves with the job and its lines once a line over the last channel is sent. */
  async function send({
    email,
    phone,
    channels,
    until = channels[1],
  }: {
    email: string;
    phone: string;
    channels: [string, string];
    until?: string;
  }) {
    const { ann } = fixture;
    const workspace = await ann.createWorkspace(`Elm ${crypto.randomUUID().slice(0, 8)}`);
    const contact = { name: 'Erin Berg', email, phone };
    const { json: person } = await ann.call('POST', '/api/contacts', { workspace, body: contact });
    const { json: reminder } = await ann.call('POST', '/api/reminders', {
      workspace,
      body: {
        name: 'Rent of July',
        status: 'active',
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'once',
          startDate: new Date(Date.now() - 60_000).toISOString().slice(0, 19),
          timezone: 'UTC',
        },
        content: { subject: 'Rent of July', message: 'It is due.', recipients: [] },
        metadata: { channels, channel_mode: 'in_order', audience: { contacts: [person.id] } },
      },
    });
    return found({ workspace, reminderId: reminder.id, last: until });
  }

  /** The job and its lines once the line over this channel is sent, and over what the inbox has messages. */
  async function found({ workspace, reminderId, last }: { workspace: string; reminderId: string; last: string }) {
    const { ann } = fixture;
    const { job, lines } = await untilFound(fixture.databaseUrl, async () => {
      const { json } = await ann.call('GET', `/api/jobs?reminder_id=${reminderId}`, { workspace });
      const ended = json.data.find(({ status }: { status: string }) => status === 'completed' || status === 'failed');
      if (ended === undefined) return null;
      const { json: ledger } = await ann.call('GET', `/api/jobs/${ended.id}/deliveries`, { workspace });
      const status = lineOf(ledger.data, last)?.status;
      return status === 'accepted' || status === 'delivered' ? { job: ended, lines: ledger.data as Line[] } : null;
    });
    const { json: inbox } = await ann.call('GET', '/api/inbox', { workspace });
    const messages = inbox.data.filter((one: { subject: string | null }) => !/Undelivered/.test(one.subject ?? ''));
    return { workspace, reminderId, job, lines, over: messages.map((one: { channel: string }) => one.channel).sort() };
  }

  const lineOf = (lines: readonly Line[], channel: string) => lines.find((line) => line.channel === channel);

  it('goes on by mail, once, when the text message is reported as undelivered a second later, and the run says so', async () => {
    const sent = await send({ email: 'erin@example.com', phone: '+15005550011', channels: ['sms', 'email'] });
    expect(lineOf(sent.lines, 'sms')).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^Twilio 30005: .*; continues over email$/),
    });
    expect(lineOf(sent.lines, 'email')).toMatchObject({ status: 'accepted', recipient: 'erin@example.com' });
    expect(sent.over).toEqual(['email', 'sms']);
    expect(sent.job).toMatchObject({ status: 'completed', people: { total: 1, reached: 1, failed: 0 } });

    for (const width of [390, 1440] as const) {
      const page = await fixture.open(`/jobs?job=${sent.job.id}`, {
        as: fixture.ann,
        workspace: sent.workspace,
        width,
      });
      const dialog = page.getByRole('dialog');
      await dialog.getByText('This number cannot receive messages. The message continues over email.').waitFor();
      await dialog.getByText(/Sent to 1 of 1/).waitFor();
      await expectGood(page);
      await fixture.leave(page);
    }
  });

  it('goes on by text message, once, when the mail bounces, although that suppresses the address', async () => {
    const sent = await send({ email: 'bounce@cuebird.test', phone: '+4915112345678', channels: ['email', 'sms'] });
    expect(lineOf(sent.lines, 'email')).toMatchObject({
      status: 'failed',
      reason: 'Bounced: 550 5.1.1 No such user here; continues over sms',
    });
    expect(lineOf(sent.lines, 'sms')).toMatchObject({ recipient: '+4915112345678' });
    expect(sent.over).toEqual(['email', 'sms']);
    expect(sent.job).toMatchObject({ status: 'completed', people: { total: 1, reached: 1, failed: 0 } });
    const { json: list } = await fixture.ann.call('GET', '/api/suppressions', { workspace: sent.workspace });
    expect(list.data).toMatchObject([{ channel: 'email', recipient: 'bounce@cuebird.test', reason: 'bounced' }]);
  });

  it('says what Retry does when it could not go on by itself, and Retry sends nothing twice', async () => {
    const { ann, owner } = fixture;
    const sent = await send({
      email: 'erin@example.com',
      phone: '+15005550012',
      channels: ['sms', 'email'],
      until: 'sms',
    });
    // Reported after the occurrence could no longer be sent.
    await owner.query(
      `update deliveries d set status = 'failed', reason = 'Twilio 30005: unknown handset', reason_code = 'no_such_number',
              completed_at = now(), attempt_history = attempt_history_of(d) where job_id = $1`,
      [sent.job.id],
    );
    await owner.query(`update jobs set status = 'failed', error_message = '1 of 1 failed' where id = $1`, [
      sent.job.id,
    ]);
    const page = await fixture.open(`/jobs?job=${sent.job.id}`, { as: ann, workspace: sent.workspace });
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Retry tries email before sms for people whose message was reported as failed').waitFor();
    await expectGood(page);
    await dialog.getByRole('button', { name: /^Retry 1 failed/ }).click();
    const after = await found({ ...sent, last: 'email' });
    expect(after.over).toEqual(['email', 'sms']);
    expect(after.job).toMatchObject({ status: 'completed' });
  });
});
