import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ContactDelivery, UpcomingOfContact } from '#contract/contact-details.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('a contact', () => {
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

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const get = async (path: string) => (await call('GET', path)).json;
  async function made(path: string, body: object): Promise<string> {
    const { status, json } = await call('POST', path, body);
    expect([status, json.error]).toEqual([201, undefined]);
    return json.id;
  }
  const add = (contact: object) => made('/api/contacts', contact);

  type Sent = { recipient: string; channel?: string; contact?: string; in?: string; type?: string };

  async function insertDelivery(name: string, { recipient, channel = 'email', contact, type, ...of }: Sent) {
    const { rows } = await database.query<{ id: string }>(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at)
       values ($1, $2, $3, 'completed', '2026-03-02T09:00:00Z', '2026-03-02T09:00:00Z', now()) returning id`,
      [of.in ?? workspace, name, type ?? 'api_notification'],
    );
    await database.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, contact_id, status, attempts, first_attempt_at,
         last_attempt_at, completed_at)
       values ($1, $2, '2026-03-02T09:00:00Z', $3, $4, $5, 'accepted', 1, now(), now(), now())`,
      [of.in ?? workspace, rows[0]?.id, channel, recipient, contact ?? null],
    );
  }

  const sentTo = async (id: string, query = '') =>
    (await get(`/api/contacts/${id}/deliveries${query}`)).data.map((each: ContactDelivery) => each.job.name);

  it('shows what it got at any of its addresses, in every spelling, and newest first', async () => {
    const id = await add({ name: 'Anna', email: 'anna@bücher.example', phone: '+4915123456789' });
    await insertDelivery('by email', { recipient: 'Anna@BÜCHER.example' });
    await insertDelivery('to the domain in ASCII', { recipient: 'anna@xn--bcher-kva.example' });
    await insertDelivery('by SMS', { recipient: '+4915123456789', channel: 'sms' });
    await insertDelivery('by webhook', { recipient: 'anna@bücher.example', channel: 'webhook' });
    await insertDelivery('at an earlier address', { recipient: 'old@example.com', contact: id });
    await insertDelivery('to another', { recipient: 'bert@example.com' });
    await insertDelivery('in full width', { recipient: 'ａnna@bücher.example', type: 'test_reminder' });
    expect(await sentTo(id)).toEqual([
      'in full width',
      'at an earlier address',
      'by webhook',
      'by SMS',
      'to the domain in ASCII',
      'by email',
    ]);
    expect(await sentTo(id, '?channel=sms')).toEqual(['by SMS']);
    const [line] = (await get(`/api/contacts/${id}/deliveries?limit=1`)).data;
    expect(line).toMatchObject({
      recipient: 'ａnna@bücher.example',
      status: 'accepted',
      job: { name: 'in full width', type: 'test_reminder', reminder_id: null },
      timeline: [{ kind: 'attempt', number: 1, status: 'accepted' }],
    });
  });

  it('does not show what another contact got at the address that it has now', async () => {
    const [anna, bert] = [await add({ name: 'Anna' }), await add({ name: 'Bert', email: 'flat3@example.com' })];
    await insertDelivery('when it was Anna’s', { recipient: 'flat3@example.com', contact: anna });
    await insertDelivery('since it is Bert’s', { recipient: 'flat3@example.com', contact: bert });
    expect(await sentTo(bert)).toEqual(['since it is Bert’s']);
    expect(await sentTo(anna)).toEqual(['when it was Anna’s']);
  });

  it('has its history again when it was deleted and came back', async () => {
    const body = { name: 'Anna', email: 'anna@example.com' };
    const before = await add(body);
    await insertDelivery('to the group', { recipient: 'anna@example.com', contact: before });
    await call('DELETE', `/api/contacts/${before}`);
    expect(await sentTo(await add(body))).toEqual(['to the group']);
  });

  it('lists its deliveries page by page, each once', async () => {
    const id = await add({ email: 'anna@example.com' });
    for (let at = 0; at < 7; at += 1)
      await insertDelivery(`${at}`, { recipient: 'anna@example.com', ...(at % 2 === 0 && { contact: id }) });
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await get(`/api/contacts/${id}/deliveries?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      found.push(...page.data.map((each: ContactDelivery) => each.job.name));
      cursor = page.next_cursor;
    }
    expect(found).toEqual(['6', '5', '4', '3', '2', '1', '0']);
  });

  it('of a neighbour is not there, and neither is what the neighbour sent', async () => {
    const id = await add({ email: 'anna@example.com' });
    const neighbour = await dana.createWorkspace('Next door');
    await insertDelivery('next door', { recipient: 'anna@example.com', in: neighbour, contact: id });
    expect(await sentTo(id)).toEqual([]);
    for (const part of ['', '/deliveries', '/upcoming'])
      expect((await dana.call('GET', `/api/contacts/${id}${part}`, { workspace: neighbour })).status).toBe(404);
  });

  it('says since when and why nothing is sent to which of its addresses, and its groups', async () => {
    const id = await add({ name: 'Anna', email: 'info@bücher.example', phone: '+4915123456789', tags: ['Tenant'] });
    const rule = { match: 'all', conditions: [{ test: 'has_tag', tag: 'tenant' }] };
    const group = await made('/api/contact-groups', { name: 'Tenants', rule });
    await made('/api/contact-groups', {
      name: 'Others',
      rule: { match: 'all', conditions: [{ test: 'lacks_tag', tag: 'tenant' }] },
    });
    await made('/api/suppressions', { channel: 'email', recipient: 'Info@xn--bcher-kva.example' });
    await made('/api/suppressions', { channel: 'sms', recipient: '+49 151 23456789' });
    await made('/api/suppressions', { channel: 'email', recipient: 'else@example.com' });
    const { suppressions, groups, ...contact } = await get(`/api/contacts/${id}`);
    expect(contact).toMatchObject({ id, name: 'Anna', phone: '+4915123456789', tags: ['Tenant'] });
    expect(groups).toEqual([{ id: group, name: 'Tenants' }]);
    expect(suppressions).toMatchObject([
      { channel: 'sms', recipient: '+4915123456789', reason: 'manual', created_by_name: 'Dana' },
      { channel: 'email', recipient: 'info@xn--bcher-kva.example', created_at: expect.any(String) },
    ]);
  });

  describe('what comes next', () => {
    const remind = (
      name: string,
      { recipients = [], at = '2098-01-01T09:00:00', channels = ['email'], ...more }: Reminded,
    ) =>
      made('/api/reminders', {
        ...sampleReminder,
        name,
        status: 'active',
        schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: at, timezone: 'UTC' },
        content: { ...sampleReminder.content, message: 'Hello', recipients },
        metadata: { channels, priority: 'medium', ...more },
      });
    type Reminded = {
      recipients?: string[];
      at?: string;
      channels?: string[];
      audience?: object;
      channel_mode?: string;
    };
    const upcoming = async (id: string): Promise<{ data: UpcomingOfContact[]; is_complete: boolean }> =>
      get(`/api/contacts/${id}/upcoming`);

    it('is every active reminder that lists it or has it in its audience, soonest first', async () => {
      const id = await add({ name: 'Anna', email: 'anna@example.com', phone: '+4915123456789', tags: ['tenant'] });
      const rule = { match: 'all', conditions: [{ test: 'has_tag', tag: 'tenant' }] };
      const group = await made('/api/contact-groups', { name: 'Tenants', rule });
      await remind('listed', {
        recipients: ['Bert <bert@example.com>', 'Anna <ANNA@example.com>'],
        at: '2098-01-04T09:00:00',
      });
      await remind('by group', { audience: { everyone: true, groups: [group] }, at: '2098-01-03T09:00:00' });
      await remind('by tag', { audience: { tags: ['Tenant'] }, at: '2098-01-02T09:00:00', channels: ['sms', 'email'] });
      await remind('picked', { audience: { contacts: [id] }, at: '2098-01-01T09:00:00' });
      await remind('for others', { recipients: ['bert@example.com'] });
      await remind('for another tag', { audience: { tags: ['vip'] } });
      const { data, is_complete: isComplete } = await upcoming(id);
      expect(isComplete).toBe(true);
      expect(data.map(({ name, through, next_run_at: next, channels }) => [name, through, next, channels])).toEqual([
        ['picked', 'contact', '2098-01-01T09:00:00.000Z', ['email']],
        ['by tag', 'tag Tenant', '2098-01-02T09:00:00.000Z', ['sms', 'email']],
        ['by group', 'group Tenants', '2098-01-03T09:00:00.000Z', ['email']],
        ['listed', null, '2098-01-04T09:00:00.000Z', ['email']],
      ]);
    });

    it('names the channel first that they prefer, where the reminder tries its channels in order', async () => {
      const id = await add({
        name: 'Anna',
        email: 'anna@example.com',
        phone: '+4915123456789',
        preferred_channel: 'sms',
      });
      const both = { audience: { everyone: true }, channels: ['email', 'sms'] };
      await remind('in order', { ...both, channel_mode: 'in_order', at: '2098-01-01T09:00:00' });
      await remind('over each', { ...both, at: '2098-01-02T09:00:00' });
      expect((await upcoming(id)).data.map(({ name, channels }) => [name, channels])).toEqual([
        ['in order', ['sms', 'email']],
        ['over each', ['email', 'sms']],
      ]);
      await made('/api/suppressions', { channel: 'sms', recipient: '+4915123456789' });
      expect((await upcoming(id)).data.map(({ channels }) => channels)).toEqual([['email'], ['email']]);
    });

    it('says where nothing would arrive: no number, or suppressed', async () => {
      const id = await add({ name: 'Anna', email: 'anna@example.com' });
      await made('/api/suppressions', { channel: 'email', recipient: 'anna@example.com' });
      await remind('by SMS', { audience: { everyone: true }, channels: ['sms'], at: '2098-01-01T09:00:00' });
      await remind('by email', { recipients: ['anna@example.com'], at: '2098-01-02T09:00:00' });
      expect((await upcoming(id)).data).toMatchObject([
        { name: 'by SMS', channels: [], problem: 'Anna has no phone number' },
        { name: 'by email', channels: [], problem: 'The recipient is on the suppression list' },
      ]);
    });

    it('ends after twenty, and says so', async () => {
      const id = await add({ name: 'Anna', email: 'anna@example.com' });
      for (let at = 0; at < 21; at += 1)
        await remind(`${at}`, {
          audience: { everyone: true },
          at: `2098-01-${String(at + 1).padStart(2, '0')}T09:00:00`,
        });
      const { data, is_complete: isComplete } = await upcoming(id);
      expect([data.length, data.at(-1)?.name, isComplete]).toEqual([20, '19', false]);
    });
  });
});
