import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { usageLimits } from '#contract/limits.ts';
import { type ApiAnswer, startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember, connectOwner } from '#testing/owner.ts';
import { insertThings } from '#testing/sample-rows.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('how often something may be done, in two processes on one database', () => {
  let one: TestCuebird;
  let other: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    one = await startTestCuebird({ hasLimits: true });
    other = await startTestCuebird({ hasLimits: true, env: { DATABASE_URL: one.databaseUrl } });
    database = await connectOwner(one.databaseUrl);
  });
  beforeEach(async () => {
    await database.query('delete from request_counts');
    dana = await one.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(async () => {
    await database.end();
    await other.stop();
    await one.stop();
  });

  /** The same person at the other server process. */
  const atOther = async (path: string, { body, of = workspace }: { body: unknown; of?: string }) =>
    fetch(`${other.url}${path}`, {
      method: 'POST',
      headers: { cookie: dana.cookie, 'content-type': 'application/json', 'x-workspace-id': of },
      body: JSON.stringify(body),
    });

  /** Sets a counter, for the person or the workspace, in the window of so many seconds. */
  const spendTo = (used: number, { bucket, per }: { bucket: string; per: 'person' | 'workspace' }) =>
    database.query(
      `insert into request_counts (workspace_id, user_id, bucket, used, expires_at)
       values ($1, $2, $3, $4, now() + interval '50 seconds')
       on conflict (workspace_id, user_id, subject, bucket) do update set used = $4`,
      [per === 'workspace' ? workspace : null, per === 'person' ? dana.userId : null, bucket, used],
    );

  const expectRefused = (
    { status, headers, json }: Pick<ApiAnswer, 'status' | 'headers' | 'json'>,
    message: string,
  ) => {
    expect([status, json.error]).toEqual([429, expect.objectContaining({ code: 'rate_limited' })]);
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(json.error.message).toMatch(new RegExp(`^${message} Try again in \\d+ (second|minute|hour)s?\\.$`));
  };

  async function createReminder(): Promise<string> {
    return (await dana.call('POST', '/api/reminders', { workspace, body: sampleReminder })).json.id;
  }
  const testBody = (recipients: number) => ({
    recipients: Array.from({ length: recipients }, (_, index) => `to${index}@example.com`),
    subject: 'Rent',
    message: 'Due',
  });

  it('thirty workspaces a day are made by one person, and as many by another', async () => {
    await spendTo(29, { bucket: 'workspaces.86400', per: 'person' });
    expect((await atOther('/api/workspaces', { body: { name: 'Thirty' } })).status).toBe(201);
    const refused = await dana.call('POST', '/api/workspaces', { body: { name: 'One too many' } });
    expectRefused(refused, 'Too many workspaces were created\\.');
    const erin = await one.signUp('Erin');
    await erin.createWorkspace('Oak Street');
  });

  it('the own profile is changed 120 times an hour, and an audit log exported sixty times', async () => {
    await spendTo(119, { bucket: 'profiles.3600', per: 'person' });
    const rename = (full_name: string) => dana.call('PATCH', '/api/profile', { body: { full_name } });
    expect((await rename('Dana of Elm Street')).status).toBe(200);
    expectRefused(await rename('Dana'), 'Your profile was changed too often\\.');
    await spendTo(60, { bucket: 'audit_exports.3600', per: 'person' });
    const refused = await dana.call('GET', '/api/audit-log/export', { workspace });
    expectRefused(refused, 'The audit log was exported too often\\.');
    const { rows } = await database.query(
      "select count(*)::int as count from audit_log where workspace_id = $1 and action in ('account.name_changed', 'export.audit_log')",
      [workspace],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('nobody owns more than two hundred', async () => {
    await database.query(
      `with made as (insert into workspaces (name, slug) select 'W', 'w' || n from generate_series(1, 199) n returning id)
       insert into workspace_members (workspace_id, user_id, role) select id, $1, 'owner' from made`,
      [dana.userId],
    );
    const refused = await dana.call('POST', '/api/workspaces', { body: { name: 'One too many' } });
    expect([refused.status, refused.json.error.message]).toEqual([
      422,
      'You own 200 workspaces already, and nobody may own more',
    ]);
  });

  it('a hundred recipients of tests a minute, of reminders and channels together, at whichever process', async () => {
    const id = await createReminder();
    const { webhook } = await addChannel();
    const send = (recipients: number) =>
      dana.call('POST', `/api/reminders/${id}/test`, { workspace, body: testBody(recipients) });
    expect((await send(60)).status).toBe(201);
    expect((await atOther(`/api/reminders/${id}/test`, { body: testBody(39) })).status).toBe(201);
    expectRefused(await send(2), 'Too many test messages were sent\\.');
    expect((await dana.call('POST', `/api/channels/${webhook}/test`, { workspace, body: {} })).status).toBe(200);
    expectRefused(
      await dana.call('POST', `/api/channels/${webhook}/test`, { workspace, body: {} }),
      'Too many test messages were sent\\.',
    );
    const { rows } = await database.query("select count(*)::int as count from jobs where type = 'test_reminder'");
    expect(rows).toEqual([{ count: 2 }]);
  });

  it('a test of a Slack channel or of the own browsers counts, though it names no recipient', async () => {
    const body = {
      ...sampleReminder,
      schedule_config: { type: 'event-based', eventTrigger: 'user_signup', timezone: 'UTC' },
    };
    const { json } = await dana.call('POST', '/api/reminders', { workspace, body });
    await spendTo(100, { bucket: 'tests.60', per: 'person' });
    const push = { data: {}, recipients: [], push: true };
    const refused = await dana.call('POST', `/api/reminders/${json.id}/test-event`, { workspace, body: push });
    expectRefused(refused, 'Too many test messages were sent\\.');
  });

  async function addChannel() {
    const { json } = await dana.call('GET', '/api/inbox/addresses', { workspace });
    const body = { name: 'Hook', type: 'webhook', configuration: { url: json.webhook_url } };
    const made = await dana.call('POST', '/api/channels', { workspace, body });
    return { webhook: made.json.id };
  }

  it('lets a whole test of a hundred recipients through where nothing was sent before', async () => {
    const id = await createReminder();
    const answer = await dana.call('POST', `/api/reminders/${id}/test`, { workspace, body: testBody(100) });
    expect(answer.status).toBe(201);
  });

  it('of many tests at once only as many go out as there is room for', async () => {
    const id = await createReminder();
    const sent = await Promise.all(
      Array.from({ length: 30 }, () =>
        dana.call('POST', `/api/reminders/${id}/test`, { workspace, body: testBody(10) }),
      ),
    );
    expect(sent.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(sent.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it('a workspace has a limit of its own, whoever of it sends', async () => {
    const erin = await one.signUp('Erin');
    await addMember(database, { workspace, userId: erin.userId, role: 'member' });
    await spendTo(2_000, { bucket: 'tests.86400', per: 'workspace' });
    const id = await createReminder();
    const refused = await erin.call('POST', `/api/reminders/${id}/test`, { workspace, body: testBody(1) });
    expectRefused(refused, 'Too many test messages were sent\\.');
  });

  it('files of contacts are read a hundred times an hour, those that cannot be read too', async () => {
    const read = () => dana.call('POST', '/api/contacts/import', { workspace, body: { csv: 'x', mode: 'preview' } });
    await spendTo(98, { bucket: 'imports.3600', per: 'person' });
    expect([(await read()).status, (await read()).status]).toEqual([400, 400]);
    expectRefused(await read(), 'Too many files were read\\.');
  });

  it('templates are previewed 240 times a minute', async () => {
    const body = { content: { subject: '', body: 'Hello' }, variables: { variables: [] } };
    const preview = () => dana.call('POST', '/api/templates/preview', { workspace, body });
    await spendTo(239, { bucket: 'previews.60', per: 'person' });
    expect((await preview()).status).toBe(200);
    expectRefused(await preview(), 'Too many previews were requested\\.');
  });

  it('people are counted 240 times a minute, of audiences, groups and reminders together', async () => {
    const { reminder, pendingJob } = await insertThings(database, { workspace, userId: dana.userId });
    const questions = [
      ['POST', '/api/audience/count', { audience: { everyone: true } }],
      ['GET', '/api/contact-groups/counts'],
      ['GET', `/api/reminders/${reminder}/reach`],
      ['GET', `/api/jobs/${pendingJob}/reach`],
    ] as const;
    await spendTo(236, { bucket: 'counts.60', per: 'person' });
    const ask = ([method, path, body]: (typeof questions)[number]) => dana.call(method, path, { workspace, body });
    for (const question of questions) expect((await ask(question)).status).toBe(200);
    for (const question of questions) expectRefused(await ask(question), 'People were counted too often\\.');
  });

  it('costly questions of one person wait for a slot, and leave the database to others', async () => {
    const erin = await one.signUp('Erin');
    const elsewhere = await erin.createWorkspace('Oak Lane');
    await database.query('begin');
    await database.query('lock table contact_groups in access exclusive mode');
    let refused = 0;
    const ask = async () => {
      const { status } = await dana.call('GET', '/api/contact-groups/counts', { workspace });
      if (status === 429) refused += 1;
      return status;
    };
    const asked = Promise.all(Array.from({ length: 30 }, ask));
    try {
      await expect.poll(() => refused).toBe(8);
      expect((await erin.call('GET', '/api/contacts', { workspace: elsewhere })).status).toBe(200);
    } finally {
      await database.query('commit');
    }
    expect((await asked).filter((status) => status === 200)).toHaveLength(22);
  });

  it('a stranger who names a workspace keeps nobody of it waiting', async () => {
    const erin = await one.signUp('Erin');
    await database.query('begin');
    await database.query('lock table workspace_members in access exclusive mode');
    const strange = Promise.all(
      Array.from({ length: 24 }, () => erin.call('GET', '/api/contact-groups/counts', { workspace })),
    );
    const own = dana.call('GET', '/api/contact-groups/counts', { workspace });
    await database.query('commit');
    expect((await own).status).toBe(200);
    for (const { status } of await strange) expect(status).toBe(404);
  });

  it('events come 600 times a minute, in person, by the API and by hooks together', async () => {
    const { hookedReminder } = await insertThings(database, { workspace, userId: dana.userId });
    const { json: hook } = await dana.call('GET', `/api/reminders/${hookedReminder}/hook`, { workspace });
    const sendEvent = () => dana.call('POST', '/api/events', { workspace, body: { event: 'invoice_overdue' } });
    const path = new URL(hook.url).pathname;
    const callHook = () => dana.call('POST', path, { body: {} });
    await spendTo(598, { bucket: 'events.60', per: 'workspace' });
    expect((await sendEvent()).status).toBeLessThan(300);
    expect((await callHook()).status).toBeLessThan(300);
    expectRefused(await callHook(), 'Too many events came at once\\.');
    expectRefused(await sendEvent(), 'Too many events came at once\\.');
  });

  it('begins anew when the time is over', async () => {
    await spendTo(30, { bucket: 'workspaces.86400', per: 'person' });
    await database.query("update request_counts set expires_at = now() - interval '1 second'");
    expect((await dana.call('POST', '/api/workspaces', { body: { name: 'Tomorrow' } })).status).toBe(201);
  });
});

describe('the numbers of the limits', () => {
  it('stand in the page for whoever looks after an installation', async () => {
    const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    for (const { most } of Object.values(usageLimits).flat()) expect(page).toContain(most.toLocaleString('en-GB'));
  });
});
