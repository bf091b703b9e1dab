import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeKnown } from '#features/channels/reports.service.ts';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { inTenant } from '#platform/database.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type Erasing, openErasing } from '#testing/erasures.ts';
import { sampleReminder } from '#testing/samples.ts';

const secrets = createSecretBox(TEST_ENCRYPTION_KEY);
const tokens = createUnsubscribeTokens(secrets);

describe('somebody who was erased and is entered again', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let erasing: Erasing;
  let anna: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ erases: false });
    dana = await cuebird.signUp('Dana');
    erasing = openErasing(cuebird);
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    const addresses = ['anna@example.com', '+4915112345678'];
    await call('POST', '/api/erasures', { addresses, asked_how: 'By letter' });
    await erasing.pass();
    await erasing.pass();
    const [email, phone] = addresses;
    anna = (await call('POST', '/api/contacts', { name: 'Anna', email, phone })).id;
    await call('POST', '/api/contacts', { name: 'Bert', email: 'bert@example.com' });
  });
  afterAll(async () => {
    await erasing.close();
    await cuebird.stop();
  });

  const call = async (method: string, path: string, body?: object) => {
    const answer = await dana.call(method, path, { workspace, ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
    return answer.json;
  };
  const link = (recipient: string) =>
    `${cuebird.url}/unsubscribe/${tokens.seal({ stops: 'messages', workspaceId: workspace, channel: 'email', recipient })}`;
  const press = (recipient: string, [name, value]: readonly [string, string]) =>
    fetch(link(recipient), { method: 'POST', body: new URLSearchParams({ [name]: value }), redirect: 'manual' });
  /** What the lists have under these addresses, and not under what stands in place of them. */
  const stored = async () => {
    const { rows } = await cuebird.owner.query<{ recipient: string }>(
      `select recipient from suppressions where workspace_id = $1 and recipient !~ '^#'
       union all select recipient from consents where workspace_id = $1 and recipient !~ '^#'
       union all select sender from received_reports where workspace_id = $1 and sender is not null`,
      [workspace],
    );
    return rows.map(({ recipient }) => recipient);
  };

  it('is not reached, as the reach of a reminder and the page of the contact say', async () => {
    const reminder = await call('POST', '/api/reminders', {
      ...sampleReminder,
      status: 'active',
      schedule_config: { ...sampleReminder.schedule_config, startDate: '2099-01-01T09:00:00' },
      content: { ...sampleReminder.content, recipients: ['ANNA@example.com', 'bert@example.com'] },
    });
    const reach = await call('GET', `/api/reminders/${reminder.id}/reach`);
    expect(reach.counts.map(({ count, people }: { count?: number; people?: number }) => count ?? people)).toEqual([
      1, 1,
    ]);
    expect((await call('GET', `/api/contacts/${anna}`)).suppressions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ channel: 'email', reason: 'erased', recipient: 'anna@example.com' }),
        expect.objectContaining({ channel: 'sms', reason: 'erased', recipient: '+4915112345678' }),
      ]),
    );
    expect((await call('GET', `/api/contacts/${anna}/upcoming`)).data).toMatchObject([
      { channels: [], problem: 'The recipient is on the suppression list' },
    ]);
  });

  it('gets no reports, as their list says', async () => {
    await call('POST', '/api/monthly-reports', { address: 'anna@example.com', reminder_id: null, group_id: null });
    expect((await call('GET', '/api/monthly-reports')).data).toMatchObject([{ obstacle: 'suppressed' }]);
  });

  it('has no consent noted, which is refused by row and writes nothing of the others', async () => {
    const about = { channel: 'sms', kind: 'given', text: 'Yes, text me.', how: 'phone' };
    for (const kind of ['given', 'withdrawn']) {
      const consents = [
        { ...about, recipient: '+4915112345679' },
        { ...about, kind, recipient: '+49 151 12345678', ...(kind === 'withdrawn' && { text: undefined }) },
      ];
      const { status, json } = await dana.call('POST', '/api/consents', { workspace, body: { consents } });
      expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining('consents.1.recipient')]);
      expect(JSON.stringify(json)).toContain('This person was erased');
    }
    expect(await stored()).toEqual([]);
  });

  it('has no consent imported with a contact, as its line says', async () => {
    const answer = await call('POST', '/api/contacts/import', {
      csv: 'Name,Phone,Email\nAnna,+4915112345678,anna@example.com\nCleo,+4915112345670,cleo@example.com',
      mode: 'import',
      columns: ['name', 'phone', 'email'].map((field) => ({ field })),
      consent: { channels: ['sms', 'email'], text: 'Yes.', given_at: '2026-01-02T09:00:00Z', is_attested: true },
    });
    expect(answer.consents).toEqual({ recorded: 2, withdrawn: 2 });
    expect(answer.rows[0].problems.map(({ message }: { message: string }) => message)).toEqual([
      'Was erased: no consent to SMS is recorded',
      'Was erased: no consent to Email is recorded',
    ]);
    expect((await stored()).toSorted()).toEqual(['+4915112345670', 'cleo@example.com']);
  });

  it('cannot be put on the suppression list once more', async () => {
    const body = { channel: 'email', recipient: 'anna@example.com' };
    expect((await dana.call('POST', '/api/suppressions', { workspace, body })).status).toBe(409);
    expect(await stored()).toEqual([]);
  });

  it('is told by an old link that nothing is sent, and whatever they press there stores nothing', async () => {
    const page = await (await fetch(link('Anna@example.com'))).text();
    expect(page).toContain('You are unsubscribed');
    const until = Temporal.Now.plainDateISO().add({ days: 30 }).toString();
    expect((await press('Anna@example.com', ['leave', 'all'])).status).toBe(303);
    expect((await press('Anna@example.com', ['pause_until', until])).status).toBe(303);
    expect((await press('Anna@example.com', ['send', 'link'])).status).toBe(303);
    expect((await cuebird.owner.query('select from jobs where workspace_id = $1', [workspace])).rowCount).toBe(0);
    const oneClick = link('anna@example.com').replace('/unsubscribe/', '/api/unsubscribe/');
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(oneClick, { method: 'POST', body })).status).toBe(200);
    expect(await stored()).toEqual([]);
    await press('bert@example.com', ['leave', 'all']);
    expect(await stored()).toEqual(['bert@example.com', 'bert@example.com']);
  });

  it.each(['stopped', 'resumed'] as const)('leaves nothing of their number behind by a reply: %s', async (kind) => {
    const reply = (sender: string) => ({ kind, sender, messageId: `m${sender}`, sentAt: null });
    const taken = await inTenant(cuebird.database.app, { workspaceId: workspace, userId: null }, (db) =>
      takeKnown(
        { db, now: Temporal.Now.instant().toString(), secrets },
        {
          workspaceId: workspace,
          adapter: { type: 'sms', provider: 'twilio' },
          reports: [reply('+4915112345678'), reply('+4915187654321')],
        },
      ),
    );
    expect(taken).toEqual({ changed: [], left: [] });
    expect(new Set(await stored())).toEqual(new Set(['+4915187654321']));
  });
});
