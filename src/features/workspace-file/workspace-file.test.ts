import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';

// Answers and files are looked into freely.
type Json = any;

const untimed = (text: string) => text.replace(/"exported_at": "[^"]+"/, '"exported_at": ""');

describe('the file of a workspace', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let dana: TestPerson;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    owner = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());

  const exported = async (workspace: string) => {
    const response = await fetch(`${cuebird.url}/api/workspaces/${workspace}/export`, {
      headers: { cookie: dana.cookie, 'x-workspace-id': workspace },
    });
    expect(response.status).toBe(200);
    return response.text();
  };
  const fileOf = async (workspace: string): Promise<Json> => JSON.parse(await exported(workspace));
  const bring = (workspace: string, file: Json, query = 'mode=import', as = dana) =>
    as.call('POST', `/api/workspaces/${workspace}/import?${query}`, { workspace, body: file });
  const empty = { format: 'cuebird-workspace', version: 1 };
  const make = async (workspace: string, path: string, body: object): Promise<Json> => {
    const { status, json } = await dana.call('POST', path, { workspace, body });
    expect(status, JSON.stringify(json)).toBe(201);
    return json;
  };
  const list = async (workspace: string, path: string): Promise<Json[]> =>
    (await dana.call('GET', path, { workspace })).json.data;

  /** A workspace with one of everything, and the secrets that it stores. */
  async function furnish() {
    const workspace = await dana.createWorkspace('Elm Street');
    const category = await make(workspace, '/api/template-categories', { name: 'Rent', color: '#ef4444' });
    const template = await make(workspace, '/api/templates', { ...sampleTemplate, category_id: category.id });
    await dana.call('PATCH', `/api/templates/${template.id}`, { workspace, body: { content: { body: 'Second' } } });
    const anna = await make(workspace, '/api/contacts', {
      name: 'Anna Smith',
      email: 'anna@example.com',
      phone: '+493012345678',
      timezone: 'Europe/Berlin',
      tags: ['tenant'],
      variables: { unit: '4b' },
    });
    await make(workspace, '/api/contacts', { name: '=1+1', email: 'bert@example.com' });
    const group = await make(workspace, '/api/contact-groups', {
      name: 'Tenants',
      rule: { match: 'all', conditions: [{ test: 'has_tag', tag: 'tenant' }] },
    });
    await make(workspace, '/api/suppressions', { channel: 'email', recipient: 'carl@example.com' });
    const secrets = ['pass-7f3a-of-our-hook', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
    const channel = await make(workspace, '/api/channels', {
      name: 'Our mail',
      type: 'webhook',
      configuration: { url: 'http://127.0.0.1:2/in', secret: secrets[0] },
    });
    await make(workspace, '/api/reminders', {
      ...sampleReminder,
      status: 'active',
      schedule_config: { ...sampleReminder.schedule_config, startDate: '2035-01-01T09:00:00' },
      metadata: {
        channels: ['email', 'webhook'],
        template_id: template.id,
        pinned_channels: { webhook: channel.id },
        audience: { groups: [group.id], contacts: [anna.id], tags: ['tenant'] },
      },
    });
    await make(workspace, '/api/reminders', { ...sampleReminder, name: 'A draft', status: 'draft' });
    const hooked = await make(workspace, '/api/reminders', {
      ...sampleReminder,
      name: 'Contact form',
      schedule_config: { type: 'event-based', eventTrigger: 'custom_webhook', timezone: 'UTC' },
    });
    const hook = await dana.call('GET', `/api/reminders/${hooked.id}/hook`, { workspace });
    const put = await dana.call('PUT', `/api/reminders/${hooked.id}/hook`, { workspace, body: { secret: secrets[1] } });
    expect(put.status).toBe(200);
    const key = await make(workspace, '/api/api-keys', { name: 'CRM', scopes: ['read'] });
    const signing = await dana.call('POST', '/api/signing-secret', { workspace });
    const { rows: sealed } = await owner.query(
      `select sealed_secret as text from reminder_hooks where workspace_id = $1
        union all select token_hash from api_keys where workspace_id = $1
        union all select sealed_secret from signing_secrets where workspace_id = $1
        union all select value from channels, jsonb_each_text(sealed_secrets) where workspace_id = $1`,
      [workspace],
    );
    const known = [...secrets, hook.json.url.split('/').at(-1), key.key, signing.json.secret];
    return {
      workspace,
      hooked,
      secrets: [...known, ...sealed.map(({ text }) => text)].filter((text) => typeof text === 'string'),
    };
  }

  it('has everything that people wrote, and none of the secrets that are stored', async () => {
    const { workspace, secrets } = await furnish();
    const text = await exported(workspace);
    expect(secrets.length).toBeGreaterThan(6);
    for (const secret of secrets) expect(text).not.toContain(secret);
    const file = JSON.parse(text);
    expect(file).toMatchObject({
      ...empty,
      workspace: { name: 'Elm Street' },
      channels: [{ type: 'webhook', name: 'Our mail' }],
      template_categories: [{ name: 'Rent' }],
      templates: [
        { name: sampleTemplate.name, category: file.template_categories[0].ref, content: { body: 'Second' } },
      ],
      contact_groups: [{ name: 'Tenants' }],
      contacts: [{ name: 'Anna Smith', variables: { unit: '4b' }, tags: ['tenant'] }, { name: '=1+1' }],
      suppressions: [{ channel: 'email', recipient: 'carl@example.com', reason: 'manual' }],
      reminders: [
        {
          name: 'Rent',
          status: 'active',
          hook: null,
          metadata: {
            template_id: file.templates[0].ref,
            pinned_channels: { webhook: 'Our mail' },
            audience: { groups: [file.contact_groups[0].ref], contacts: [file.contacts[0].ref], tags: ['tenant'] },
          },
        },
        { name: 'A draft', status: 'draft' },
        { name: 'Contact form', hook: { is_signed: true } },
      ],
    });
    expect(file.templates[0].versions).toHaveLength(2);
    expect(text).not.toContain('127.0.0.1:2');
  });

  it('is exported, wiped, imported and exported again, and both files are equal', async () => {
    const { workspace } = await furnish();
    const before = await exported(workspace);
    const other = await dana.createWorkspace('Elm Street');
    await make(other, '/api/channels', {
      name: 'Our mail',
      type: 'webhook',
      configuration: { url: 'http://127.0.0.1:2/in' },
    });
    for (const target of [workspace, other]) {
      for (const { id } of await list(target, '/api/reminders?limit=200'))
        await dana.call('DELETE', `/api/reminders/${id}`, { workspace: target });
      for (const table of ['templates', 'template_categories', 'contact_groups', 'contacts', 'suppressions'])
        await owner.query(`delete from ${table} where workspace_id = $1`, [target]);
      const { status, json } = await bring(target, JSON.parse(before), 'mode=import&settings=true');
      expect(status, JSON.stringify(json)).toBe(200);
      const reminders = await list(target, '/api/reminders?limit=200');
      expect(
        reminders
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map(({ name, status: now, next_run_at: next }) => [name, now, next]),
      ).toEqual([
        ['A draft', 'draft', null],
        ['Contact form', 'paused', null],
        ['Rent', 'paused', null],
      ]);
      // What a person does then: resume what was active, and set the secret of the hook.
      const idOf = (name: string) => reminders.find((one) => one.name === name)?.id;
      await dana.call('PATCH', `/api/reminders/${idOf('Rent')}`, { workspace: target, body: { status: 'active' } });
      await dana.call('PUT', `/api/reminders/${idOf('Contact form')}/hook`, {
        workspace: target,
        body: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      });
      expect(JSON.parse(untimed(await exported(target)))).toEqual(JSON.parse(untimed(before)));
    }
  });

  it('leaves a reminder done of which nothing lies ahead, and pauses one that has something', async () => {
    const { workspace } = await furnish();
    const file = JSON.parse(await exported(workspace));
    const [rent] = file.reminders.filter(({ name }: Json) => name === 'Rent');
    const at = (name: string, startDate: string) => ({
      ...rent,
      name,
      ref: randomUUID(),
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate, timezone: 'UTC' },
    });
    const other = await dana.createWorkspace('Elm Street');
    const { status, json } = await bring(
      other,
      { ...file, reminders: [at('Past', '2020-01-01T09:00:00'), at('Ahead', '2035-01-01T09:00:00')] },
      'mode=import',
    );
    expect(status, JSON.stringify(json)).toBe(200);
    const made = (await list(other, '/api/reminders?sort=name')).map(({ name, status: of, is_done: isDone }) => [
      name,
      of,
      isDone,
    ]);
    expect(made).toEqual([
      ['Ahead', 'paused', false],
      ['Past', 'active', true],
    ]);
  });

  it('is previewed before anything is written, with what differs in the settings', async () => {
    const { workspace } = await furnish();
    await dana.call('PATCH', `/api/workspaces/${workspace}`, {
      workspace,
      body: { settings: { companyName: 'Elm & Sons', retentionDays: 90 } },
    });
    const file = await fileOf(workspace);
    const other = await dana.createWorkspace('Oak Lane');
    const { status, json } = await bring(other, file, 'mode=preview');
    expect(status, JSON.stringify(json)).toBe(200);
    expect(json.counts).toEqual({
      channels: { created: 0, existing: 0, refused: 1 },
      topics: { created: 0, existing: 0, refused: 0 },
      template_categories: { created: 1, existing: 0, refused: 0 },
      templates: { created: 1, existing: 0, refused: 0 },
      contact_groups: { created: 1, existing: 0, refused: 0 },
      contacts: { created: 2, existing: 0, refused: 0 },
      suppressions: { created: 1, existing: 0, refused: 0 },
      reminders: { created: 3, existing: 0, refused: 0 },
    });
    expect(json.settings).toEqual([
      { setting: 'company name', from: 'not set', to: 'Elm & Sons' },
      { setting: 'days until jobs are deleted', from: 'not set', to: '90' },
    ]);
    expect(json.items.slice(0, 3).flatMap(({ problems }: Json) => problems.map(({ path }: Json) => path))).toEqual([
      'channels.0',
      'reminders.0.metadata.pinned_channels.webhook',
      'reminders.2.hook',
    ]);
    expect(await list(other, '/api/contacts')).toEqual([]);
    expect(await list(other, '/api/reminders')).toEqual([]);
    expect((await dana.call('GET', `/api/workspaces/${other}/import`, { workspace: other })).json.latest).toBeNull();
  });

  it('makes nothing twice, and leaves what is there as it is', async () => {
    const { workspace } = await furnish();
    const file = await fileOf(workspace);
    const other = await dana.createWorkspace('Oak Lane');
    await make(other, '/api/contacts', { name: 'Another Anna', email: 'ANNA@example.com' });
    await make(other, '/api/contact-groups', {
      name: 'TENANTS',
      rule: { match: 'any', conditions: [{ test: 'has_tag', tag: 'other' }] },
    });
    const first = await bring(other, file);
    expect(first.json.counts.contacts).toEqual({ created: 1, existing: 1, refused: 0 });
    expect(first.json.counts.contact_groups).toEqual({ created: 0, existing: 1, refused: 0 });
    const [, rent] = await Promise.all([bring(other, file), bring(other, file)]);
    expect(Object.values(rent.json.counts).map(({ created }: Json) => created)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(await list(other, '/api/reminders')).toHaveLength(3);
    expect((await list(other, '/api/contacts')).map(({ name }) => name)).toEqual(['=1+1', 'Another Anna']);
    const groups = await list(other, '/api/contact-groups');
    const made = (await list(other, '/api/reminders')).find(({ name }) => name === 'Rent');
    expect(made.metadata.audience.groups).toEqual([groups[0].id]);
    // Into the workspace that it was made of: everything is there.
    const again = await bring(workspace, file);
    expect(Object.values(again.json.counts).map(({ created }: Json) => created)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    const { json } = await dana.call('GET', `/api/workspaces/${other}/import`, { workspace: other });
    expect(json.latest).toMatchObject({ status: 'completed', items: 10, items_done: 10 });
  });

  it('that names things of a neighbour leads to none of them', async () => {
    const { workspace: neighbour } = await furnish();
    const [template] = await list(neighbour, '/api/templates');
    const [contact] = await list(neighbour, '/api/contacts');
    const [channel] = await list(neighbour, '/api/channels');
    const erin = await cuebird.signUp('Erin');
    const own = await erin.createWorkspace('Fir Row');
    const ref = crypto.randomUUID();
    const reminder = {
      ...sampleReminder,
      ref,
      metadata: {
        channels: ['email'],
        template_id: template.id,
        pinned_channels: { email: channel.id },
        audience: { contacts: [contact.id] },
      },
    };
    const { status, json } = await bring(
      own,
      {
        ...empty,
        templates: [{ ...sampleTemplate, ref: crypto.randomUUID(), category: template.category_id }],
        reminders: [reminder],
      },
      'mode=import',
      erin,
    );
    expect(status, JSON.stringify(json)).toBe(200);
    const [made] = (await erin.call('GET', '/api/reminders', { workspace: own })).json.data;
    expect(made.metadata).toEqual({ channels: ['email'], priority: 'medium', audience: { contacts: [] } });
    const [text] = (await erin.call('GET', '/api/templates', { workspace: own })).json.data;
    expect(text.category_id).toBeNull();
    // A neighbour's id as a reference is a reference like any other.
    const taken = await bring(own, { ...empty, contacts: [{ ref: contact.id, name: 'Mine' }] }, 'mode=import', erin);
    expect(taken.json.counts.contacts).toEqual({ created: 1, existing: 0, refused: 0 });
    const [mine] = (await erin.call('GET', '/api/contacts', { workspace: own })).json.data;
    expect(mine.id).not.toBe(contact.id);
    expect((await erin.call('GET', `/api/workspaces/${neighbour}/export`, { workspace: own })).status).toBe(404);
    expect((await erin.call('GET', `/api/workspaces/${neighbour}/export`, { workspace: neighbour })).status).toBe(404);
    expect((await bring(neighbour, empty, 'mode=import', erin)).status).toBe(404);
  });

  it('is refused item by item, with the path of each wrong field', async () => {
    const workspace = await dana.createWorkspace('Elm Street');
    const ref = crypto.randomUUID();
    const { status, json } = await bring(workspace, {
      ...empty,
      channels: [7],
      templates: [{ ...sampleTemplate, ref }, { ...sampleTemplate, ref }, { ref: 'x' }],
      contact_groups: [{ ref, name: 'A', rule: { match: 'all', conditions: [] } }],
      contacts: [
        null,
        { ref, phone: '0151 234' },
        { ref: crypto.randomUUID(), name: 'Anna', email: 'a@example.com' },
        { ref: crypto.randomUUID(), email: 'A@example.com' },
      ],
      suppressions: [
        { channel: 'email', recipient: '+493012345678', reason: 'manual', created_at: '2026-01-01T00:00:00Z' },
        { channel: 'email', recipient: 'e@example.com', reason: 'erased', created_at: '2026-01-01T00:00:00Z' },
      ],
      reminders: [{ ...sampleReminder, ref, schedule_config: { ...sampleReminder.schedule_config, timezone: 'Mars' } }],
    });
    expect(status, JSON.stringify(json)).toBe(200);
    expect(json.counts).toMatchObject({
      templates: { created: 1, refused: 2 },
      contacts: { created: 1, refused: 3 },
      reminders: { created: 0, refused: 1 },
    });
    const paths = json.items.flatMap(({ problems }: Json) => problems.map(({ path }: Json) => path));
    expect(paths).toEqual([
      'channels.0',
      'templates.1.ref',
      'templates.2.ref',
      'contact_groups.0.rule.conditions',
      'contacts.0',
      'contacts.1.phone',
      'contacts.3',
      'suppressions.0.recipient',
      'suppressions.1.reason',
      'reminders.0.schedule_config.timezone',
    ]);
  });

  it('of a time when a reminder to Slack could name people makes it without them, and says so', async () => {
    const workspace = await dana.createWorkspace('Elm Street');
    const slack = {
      ...sampleReminder,
      ref: crypto.randomUUID(),
      content: { subject: 'Stand-up', message: 'It begins', recipients: ['anna@example.com'] },
      metadata: { channels: ['slack'], audience: { everyone: true } },
    };
    const { json } = await bring(workspace, { ...empty, reminders: [slack] });
    expect(json.counts.reminders).toEqual({ created: 1, existing: 0, refused: 0 });
    const paths = json.items.flatMap(({ problems }: Json) => problems.map(({ path }: Json) => path));
    expect(paths).toEqual(['reminders.0.content.recipients', 'reminders.0.metadata.audience']);
    const [made] = await list(workspace, '/api/reminders');
    expect([made.content.recipients, made.metadata.channels, made.metadata.audience]).toEqual([
      [],
      ['slack'],
      undefined,
    ]);
  });

  it('with a cron expression that its schedule does not follow makes the reminder without it, and says so', async () => {
    const workspace = await dana.createWorkspace('Elm Street');
    const schedule = { ...sampleReminder.schedule_config, customCron: '0 9 * * 1' };
    const daily = { ...sampleReminder, ref: crypto.randomUUID(), schedule_config: schedule };
    const { json } = await bring(workspace, { ...empty, reminders: [daily] });
    expect(json.counts.reminders).toEqual({ created: 1, existing: 0, refused: 0 });
    const paths = json.items.flatMap(({ problems }: Json) => problems.map(({ path }: Json) => path));
    expect(paths).toEqual(['reminders.0.schedule_config.customCron']);
    const [made] = await list(workspace, '/api/reminders');
    expect(made.schedule_config.customCron).toBeUndefined();
  });

  it.each<[string, unknown, number]>([
    ['is no file of a workspace', { reminders: [] }, 400],
    ['is of a later version', { ...empty, version: 2 }, 400],
    ['has settings that no workspace has', { ...empty, workspace: { settings: { retentionDays: -1 } } }, 400],
    ['has a list that is none', { ...empty, reminders: {} }, 400],
    ['has a million reminders', { ...empty, reminders: Array.from({ length: 1_000_000 }, () => ({})) }, 400],
    ['is nested deeply', { ...empty, reminders: [JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)] }, 400],
    ['is larger than 10 MiB', { ...empty, workspace: { name: 'x'.repeat(10_500_000) } }, 413],
  ])('that %s is refused as a whole', async (_, file, expected) => {
    const workspace = await dana.createWorkspace('Elm Street');
    const { status, json } = await bring(workspace, file);
    expect(status, JSON.stringify(json).slice(0, 300)).toBe(expected);
    expect(json.error.message).toEqual(expect.any(String));
  });

  it('with the keys of prototypes changes no prototype, and makes nothing of them', async () => {
    const workspace = await dana.createWorkspace('Elm Street');
    const body = `{"format": "cuebird-workspace", "version": 1, "contacts": [
      {"ref": "${crypto.randomUUID()}", "name": "Anna", "__proto__": {"polluted": true}},
      {"ref": "${crypto.randomUUID()}", "name": "Bert", "variables": {"constructor": "x", "toString": "y"}},
      {"ref": "${crypto.randomUUID()}", "name": "Carl", "constructor": {"prototype": {"polluted": true}}}]}`;
    const response = await fetch(`${cuebird.url}/api/workspaces/${workspace}/import?mode=import`, {
      method: 'POST',
      headers: {
        cookie: dana.cookie,
        'x-workspace-id': workspace,
        'content-type': 'application/json',
        origin: cuebird.url,
      },
      body,
    });
    expect(response.status).toBe(200);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect((await list(workspace, '/api/contacts')).map(({ name }) => name)).not.toContain('Carl');
  });

  it('is imported whole or not at all, and its progress says that it failed', async () => {
    const { workspace } = await furnish();
    const file = await fileOf(workspace);
    const other = await dana.createWorkspace('Oak Lane');
    await owner.query(
      `create function refuse_them() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse_them before insert on reminders for each row when (new.name = 'Contact form') execute function refuse_them()`,
    );
    const { status } = await bring(other, file);
    await owner.query('drop trigger refuse_them on reminders; drop function refuse_them');
    expect(status).toBe(500);
    expect(await list(other, '/api/contacts')).toEqual([]);
    const { json } = await dana.call('GET', `/api/workspaces/${other}/import`, { workspace: other });
    expect(json.latest).toMatchObject({ status: 'failed' });
  });

  it('is for owners and admins, and for keys that may manage, which change no settings', async () => {
    const { workspace } = await furnish();
    const finn = await cuebird.signUp('Finn');
    await addMember(owner, { workspace, userId: finn.userId, role: 'member' });
    expect((await finn.call('GET', `/api/workspaces/${workspace}/export`, { workspace })).status).toBe(403);
    const keyWith = async (scopes: string[]) => (await make(workspace, '/api/api-keys', { name: 'CRM', scopes })).key;
    const [reader, manager] = [await keyWith(['read']), await keyWith(['manage'])];
    const path = `${cuebird.url}/api/workspaces/${workspace}`;
    const send = (key: string, suffix: string, init: RequestInit = {}) =>
      fetch(`${path}/${suffix}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      });
    expect((await send(reader, 'export')).status).toBe(403);
    const response = await send(manager, 'export');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="elm-street[^"]*\.json"$/);
    const body = await response.text();
    expect((await send(manager, 'import?mode=import&settings=true', { method: 'POST', body })).status).toBe(403);
    expect((await send(manager, 'import?mode=import', { method: 'POST', body })).status).toBe(200);
  });

  it('of thousands of contacts is exported page by page and imported whole', async () => {
    const workspace = await dana.createWorkspace('Elm Street');
    await owner.query(
      `insert into contacts (workspace_id, name, email, email_key)
       select $1, 'C' || n, 'c' || n || '@example.com', 'c' || n || '@example.com' from generate_series(1, 2500) n`,
      [workspace],
    );
    const before = await fileOf(workspace);
    expect(before.contacts).toHaveLength(2_500);
    const other = await dana.createWorkspace('Oak Lane');
    expect((await bring(other, before)).json).toMatchObject({
      counts: { contacts: { created: 2_500 } },
      is_complete: false,
    });
    expect((await fileOf(other)).contacts).toEqual(before.contacts);
  });
});
