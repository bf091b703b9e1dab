import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

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
