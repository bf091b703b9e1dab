import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';
import { untilFound } from '#testing/changes.ts';

let cuebird: TestCuebird;
let dana: TestPerson;
let workspace: string;
const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
beforeAll(async () => {
  cuebird = await startTestCuebird();
  dana = await cuebird.signUp('Dana');
  workspace = await dana.createWorkspace('Elm Street');
});
afterAll(() => cuebird.stop());

const once = { type: 'scheduled', scheduleType: 'once', timezone: 'UTC' };
const toSlack = {
  name: 'Stand-up',
  schedule_config: once,
  content: { subject: 'Stand-up', message: 'Hello {{recipient_name}}, it begins', recipients: [] },
  metadata: { channels: ['slack'] },
};

it('a reminder over Slack names nobody, is sent once, and counts as one everywhere', async () => {
  const { status, json: reminder } = await call('POST', '/api/reminders', toSlack);
  expect([status, reminder.content.recipients, reminder.warnings]).toEqual([201, [], []]);
  const { json: reach } = await call('GET', `/api/reminders/${reminder.id}/reach?kind=reached`);
  expect([reach.total, reach.data]).toMatchObject([1, [{ name: 'Slack channel', is_reached: true }]]);
  const job = await untilFound(cuebird.databaseUrl, async () => {
    const [found] = (await call('GET', `/api/jobs?reminder_id=${reminder.id}`)).json.data;
    return found?.status === 'completed' ? found : undefined;
  });
  const { json: ledger } = await call('GET', `/api/jobs/${job.id}/deliveries`);
  expect(ledger.data).toMatchObject([
    { channel: 'slack', recipient: 'slack', recipient_name: 'Slack channel', status: 'accepted' },
  ]);
  expect(job).toMatchObject({ people: { total: 1, reached: 1 }, recipients: { total: 1 } });
  const [post] = (await call('GET', '/api/inbox')).json.data;
  expect((await call('GET', `/api/inbox/${post.id}`)).json.text).toContain('Hello everyone, it begins');
});

it('a copy names nobody either, and is saved again', async () => {
  const { json: draft } = await call('POST', '/api/reminders', { ...toSlack, status: 'draft' });
  const { status, json: copy } = await call('POST', `/api/reminders/${draft.id}/duplicate`);
  expect([status, copy.content.recipients, copy.metadata.channels]).toEqual([201, [], ['slack']]);
  expect((await call('PUT', `/api/reminders/${copy.id}`, { ...toSlack, status: 'draft' })).status).toBe(200);
});

it('one that named people or had a cron expression without effect, from before that was refused, can be saved and copied again', async () => {
  const { json: draft } = await call('POST', '/api/reminders', { ...toSlack, status: 'draft' });
  const { owner } = cuebird;
  const before = { ...toSlack.content, recipients: ['anna@example.com'], format: 'plain' };
  const metadata = {
    audience: { everyone: true },
    channels: ['slack', 'push'],
    event_recipients: true,
    priority: 'low',
  };
  await owner.query('alter table reminders no force row level security');
  await owner.query(
    `update reminders set content = $2, metadata = $3, schedule_config = (schedule_config::jsonb || '{"customCron": "0 9 * * *"}')::json where id = $1`,
    [draft.id, JSON.stringify(before), JSON.stringify(metadata)],
  );
  await owner.query('alter table reminders force row level security');
  const save = async () => {
    const { json } = await call('GET', `/api/reminders/${draft.id}`);
    const { name, schedule_config, content, metadata: of } = json;
    return call('PUT', `/api/reminders/${draft.id}`, { name, status: 'draft', schedule_config, content, metadata: of });
  };
  expect((await save()).status).toBe(400);
  await owner.query(
    await readFile(new URL('../../../db/migrations/0043_reminder_fields_without_effect.sql', import.meta.url), 'utf8'),
  );
  const { rows } = await owner.query(
    `select content::text, metadata::text, schedule_config ->> 'customCron' as cron from reminders where id = $1`,
    [draft.id],
  );
  expect(JSON.parse(rows[0].content)).toEqual({ ...before, recipients: [] });
  expect(JSON.parse(rows[0].metadata)).toEqual({ channels: ['slack', 'push'], priority: 'low' });
  expect(rows[0].cron).toBeNull();
  expect((await save()).status).toBe(200);
  const { status, json: copy } = await call('POST', `/api/reminders/${draft.id}/duplicate`);
  expect([status, copy.content.recipients]).toEqual([201, []]);
});

it('the next 24 hours count the destination beside the people', async () => {
  const everyDay = { type: 'scheduled', scheduleType: 'daily', timezone: 'UTC' };
  await call('POST', '/api/reminders', { ...toSlack, name: 'Every day', schedule_config: everyDay });
  const { content } = sampleReminder;
  await call('POST', '/api/reminders', {
    ...toSlack,
    name: 'Both',
    schedule_config: everyDay,
    content: { ...content, recipients: ['a@example.com', 'b@example.com'] },
    metadata: { channels: ['slack', 'email'] },
  });
  const { json } = await call('GET', '/api/dashboard/day?timezone=UTC');
  const counts = json.upcoming.next.map(({ name, recipients }: { name: string; recipients: number }) => [
    name,
    recipients,
  ]);
  expect(counts).toEqual(
    expect.arrayContaining([
      ['Every day', 1],
      ['Both', 3],
    ]),
  );
});
