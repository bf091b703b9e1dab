import { describe, expect, it } from 'vitest';
import { untilFound } from '#testing/changes.ts';
import { expectGood } from './looks.ts';
import { describeScreens } from './screens.fixture.ts';

type Line = { channel: string; recipient: string; status: string; reason: string | null };

describe('a reminder that tries its channels in order', () => {
  const fixture = describeScreens();

  /** Sends now; resolves with the job and its lines once a line over the last channel is sent. */
  async function send({ email, phone, channels }: { email: string; phone: string; channels: [string, string] }) {
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
    const { job, lines } = await untilFound(fixture.databaseUrl, async () => {
      const { json } = await ann.call('GET', `/api/jobs?reminder_id=${reminder.id}`, { workspace });
      const ended = json.data.find(({ status }: { status: string }) => status === 'completed' || status === 'failed');
      if (ended === undefined) return null;
      const { json: ledger } = await ann.call('GET', `/api/jobs/${ended.id}/deliveries`, { workspace });
      const found: Line[] = ledger.data;
      const last = found.find((line) => line.channel === channels[1]);
      return last?.status === 'accepted' || last?.status === 'delivered' ? { job: ended, lines: found } : null;
    });
    const { json: inbox } = await ann.call('GET', '/api/inbox', { workspace });
    const messages = inbox.data.filter((one: { subject: string | null }) => !/Undelivered/.test(one.subject ?? ''));
    return { workspace, job, lines, over: messages.map((one: { channel: string }) => one.channel).sort() };
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
});
