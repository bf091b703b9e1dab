import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { addMember } from '#testing/owner.ts';

const tokens = createUnsubscribeTokens(createSecretBox(TEST_ENCRYPTION_KEY));
const text = 'Yes, text me.';
const phone = (n: number) => `+491701234567${n}`;

describe('a consent that a workspace requires', () => {
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

  const call = async (method: string, path: string, body?: unknown) =>
    (await dana.call(method, path, { workspace, body })).json;
  const requireFor = (consentFor: unknown) =>
    dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body: { settings: { consentFor } } });
  const note = (recipient: string, more: object = {}) =>
    call('POST', '/api/consents', {
      consents: [{ channel: 'sms', recipient, kind: 'given', text, how: 'phone', ...more }],
    });
  const addContact = async (n: number): Promise<string> =>
    (await call('POST', '/api/contacts', { name: `Person ${n}`, phone: phone(n) })).id;
  const reach = (channels = ['sms']) =>
    call('POST', '/api/reminders/reach?kind=no_consent', {
      content: { subject: 'Rent', message: 'Due', recipients: [1, 2, 3].map(phone) },
      metadata: { channels },
    });

  it('is off at first, is set for SMS and WhatsApp, and stands in the audit log with who set it', async () => {
    expect((await requireFor(['whatsapp', 'sms', 'sms'])).json.settings.consentFor).toEqual(['whatsapp', 'sms']);
    expect((await requireFor(['sms'])).status).toBe(200);
    expect((await requireFor(['email'])).status).toBe(400);
    expect((await requireFor('sms')).status).toBe(400);
    const { rows } = await owner.query(
      "select actor_name, details from audit_log where workspace_id = $1 and action = 'workspace.settings_changed' order by id",
      [workspace],
    );
    expect(rows).toEqual([
      { actor_name: 'Dana', details: { setting: 'consent required', from: 'not set', to: 'WhatsApp, SMS' } },
      { actor_name: 'Dana', details: { setting: 'consent required', from: 'WhatsApp, SMS', to: 'SMS' } },
    ]);
  });

  describe('after leaving by a link and taking that back', () => {
    let events: string;
    beforeEach(async () => {
      await requireFor(['sms']);
      events = (await call('POST', '/api/topics', { name: 'Events' })).id;
      await call('POST', '/api/topics', { name: 'News' });
    });
    const linkTo = (minutesLeft: number | null) =>
      tokens.seal({
        stops: 'messages',
        workspaceId: workspace,
        channel: 'sms',
        recipient: phone(1),
        ...(minutesLeft !== null && { freshUntil: Temporal.Now.instant().add({ minutes: minutesLeft }) }),
      });
    const press = async (token: string, fields: Record<string, string>) => {
      const init = { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) } as const;
      expect((await fetch(`${cuebird.url}/unsubscribe/${token}`, init)).status).toBe(303);
    };
    async function leaveAndUndo(token: string, leave: string) {
      await press(token, { leave });
      const { data } = await call('GET', '/api/suppressions');
      await press(token, { undo: data[0].id });
      expect((await call('GET', '/api/suppressions')).data).toEqual([]);
    }
    const isSentAbout = async (topic?: string) => {
      const content = { subject: 'Rent', message: 'Due', recipients: [phone(1)], ...(topic && { topic_id: topic }) };
      const body = { content, metadata: { channels: ['sms'] } };
      return (await call('POST', '/api/reminders/reach?kind=no_consent', body)).data.length === 0;
    };
    const words = async () =>
      (await call('GET', '/api/consents')).data
        .toReversed()
        .map(({ kind, method, covers, text: own }: any) => [kind, method, covers, own].join(' '));
    const links = [
      ['the link of a message', null, 'link'],
      ['a link that was asked for', 30, 'page'],
      ['one that was asked for and is over', -1, 'link'],
    ] as const;

    it.each(links)('is none by %s, where nothing had been agreed to', async (_, minutesLeft, method) => {
      await leaveAndUndo(linkTo(minutesLeft), 'all');
      await leaveAndUndo(linkTo(minutesLeft), events);
      expect(await words()).toEqual([
        'withdrawn link optional ',
        `lifted ${method} optional `,
        'withdrawn link topic ',
        `lifted ${method} topic `,
      ]);
      expect([await isSentAbout(), await isSentAbout(events)]).toEqual([false, false]);
    });

    it.each(links)('is what it was by %s, with its text, for everything', async (_, minutesLeft, method) => {
      await note(phone(1));
      for (let n = 0; n < 2; n++) await leaveAndUndo(linkTo(minutesLeft), 'all');
      expect((await words()).at(-1)).toBe(`given ${method} optional ${text}`);
      expect([await isSentAbout(), await isSentAbout(events)]).toEqual([true, true]);
      await leaveAndUndo(linkTo(minutesLeft), events);
      expect((await words()).at(-1)).toBe(`given ${method} topic ${text}`);
      expect(await isSentAbout(events)).toBe(true);
    });

    it.each(links)('is what it was by %s, for one topic alone', async (_, minutesLeft, method) => {
      await note(phone(1), { covers: 'topic', topic_id: events });
      await leaveAndUndo(linkTo(minutesLeft), 'all');
      expect((await words()).slice(1)).toEqual(['withdrawn link optional ', `given ${method} topic ${text}`]);
      expect([await isSentAbout(), await isSentAbout(events)]).toEqual([false, true]);
    });

    it('is none where it had been withdrawn before, by whatever is not undone', async () => {
      await note(phone(1));
      await note(phone(1), { kind: 'withdrawn', text: undefined });
      const { data } = await call('GET', '/api/suppressions');
      await dana.call('DELETE', `/api/suppressions/${data[0].id}`, { workspace });
      await leaveAndUndo(linkTo(30), 'all');
      expect(await isSentAbout()).toBe(false);
    });

    it('is that of the optional messages without a topic that is still left', async () => {
      const token = linkTo(30);
      await note(phone(1));
      await press(token, { leave: events });
      await press(token, { leave: 'all' });
      const { data } = await call('GET', '/api/suppressions');
      await press(token, { undo: data.find(({ covers }: any) => covers === 'optional').id });
      expect([await isSentAbout(), await isSentAbout(events)]).toEqual([true, false]);
      await press(token, { undo: data.find(({ covers }: any) => covers === 'topic').id });
      const { rows } = await owner.query('select from suppressions where workspace_id = $1', [workspace]);
      expect([rows.length, await isSentAbout(), await isSentAbout(events)]).toEqual([0, true, true]);
    });
  });

  it('is set by admins alone', async () => {
    const mo = await cuebird.signUp('Mo');
    await addMember(owner, { workspace, userId: mo.userId, role: 'member' });
    const body = { settings: { consentFor: ['sms'] } };
    expect((await mo.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body })).status).toBe(403);
  });

  it('is in the file of a workspace, and set by an import that takes its settings', async () => {
    await requireFor(['sms']);
    const file = await call('GET', `/api/workspaces/${workspace}/export`);
    const to = await dana.createWorkspace('Oak Lane');
    await dana.call('POST', `/api/workspaces/${to}/import?mode=import&settings=true`, { workspace: to, body: file });
    const { json } = await dana.call('GET', `/api/workspaces/${to}`, { workspace: to });
    expect(json.settings.consentFor).toEqual(['sms']);
  });

  it('is counted over the numbers of contacts: who has agreed, to what, and who would get nothing', async () => {
    const { id: topicId } = await call('POST', '/api/topics', { name: 'Events' });
    for (const n of [1, 2, 3, 4, 5, 6]) await addContact(n);
    await call('POST', '/api/contacts', { name: 'No phone', email: 'none@example.com' });
    await note(phone(1));
    await note(phone(2), { covers: 'optional' });
    await note(phone(3), { covers: 'topic', topic_id: topicId });
    await note(phone(4), { said_at: '2026-01-02T09:00:00Z' });
    await note(phone(4), { kind: 'withdrawn', said_at: '2026-01-03T09:00:00Z' });
    await note(phone(5), { channel: 'whatsapp' });
    // Of no contact.
    await note(phone(9));
    expect(await call('GET', '/api/consents/counts')).toEqual({
      data: [
        // Whose consent is withdrawn is on the suppression list, and gets nothing already.
        { channel: 'sms', numbers: 6, agreed: 2, to_topics: 1, silent: 2 },
        { channel: 'whatsapp', numbers: 6, agreed: 1, to_topics: 0, silent: 5 },
      ],
    });
  });

  it('is counted in a workspace that has nobody', async () => {
    expect((await call('GET', '/api/consents/counts')).data).toEqual([
      { channel: 'sms', numbers: 0, agreed: 0, to_topics: 0, silent: 0 },
      { channel: 'whatsapp', numbers: 0, agreed: 0, to_topics: 0, silent: 0 },
    ]);
  });

  it('is looked up before a reminder is saved, and names who has not agreed', async () => {
    await addContact(1);
    await note(phone(1));
    await call('POST', '/api/channels', {
      name: 'SMS',
      type: 'sms',
      configuration: { provider: 'twilio', api_key: 'AC0123', api_secret: 'a-token', from_number: '+493012345678' },
    });
    expect((await reach()).counts).toEqual([{ kind: 'reached', of: null, people: 3 }]);
    await requireFor(['sms']);
    const asked = await reach();
    expect(asked.counts).toEqual([
      { kind: 'reached', of: null, people: 1 },
      { kind: 'no_consent', of: 'sms', people: 2 },
    ]);
    expect(asked.data.map(({ targets }: any) => targets[0].problem)).toEqual([
      'No consent to SMS is on record',
      'No consent to SMS is on record',
    ]);
    expect((await reach(['whatsapp'])).counts.map(({ kind }: any) => kind)).not.toContain('no_consent');
  });

  it('stands on the page of a contact, for each channel that requires one', async () => {
    const id = await addContact(1);
    const consents = async () => (await call('GET', `/api/contacts/${id}`)).consents;
    expect(await consents()).toEqual([]);
    await requireFor(['sms', 'whatsapp']);
    const { id: topicId } = await call('POST', '/api/topics', { name: 'Events' });
    await note(phone(1), { covers: 'topic', topic_id: topicId });
    expect(await consents()).toEqual([
      { channel: 'sms', state: 'some' },
      { channel: 'whatsapp', state: 'lacking' },
    ]);
    await note(phone(1));
    expect((await consents())[0]).toEqual({ channel: 'sms', state: 'given' });
  });
});
