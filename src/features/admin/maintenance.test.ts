import type { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { openCallbackFixture } from '#testing/callback-fixture.ts';
import { openHookFixture } from '#testing/hook-fixture.ts';

const close = (owner: Client) =>
  owner.query(
    `insert into app_settings (key, value) values ('engine.installation_settings', '{"maintenanceMode": true}')
     on conflict (key) do update set value = excluded.value`,
  );

it('a provider’s report counts while the installation is closed', async () => {
  const fixture = await openCallbackFixture();
  onTestFinished(() => fixture.close());
  const { channel } = await fixture.renew();
  const { jobId } = await fixture.ended('completed', [{ status: 'accepted', provider_id: 'SM1' }]);
  await close(fixture.database);
  await expect.poll(async () => (await fixture.dana.call('GET', '/api/workspaces')).status).toBe(503);
  const report = await fixture.post(channel.callback_url, { MessageSid: 'SM1', MessageStatus: 'delivered' });
  expect(report.status).toBe(200);
  const { rows } = await fixture.database.query('select status from deliveries where job_id = $1', [jobId]);
  expect(rows).toEqual([{ status: 'delivered' }]);
});

it('a hook starts a delivery, which goes out, while the installation is closed', async () => {
  const fixture = await openHookFixture();
  onTestFinished(() => fixture.cuebird.stop());
  const workspace = await fixture.dana.createWorkspace('Elm Street');
  const { json } = await fixture.dana.call('POST', '/api/reminders', {
    workspace,
    body: {
      name: 'Form was sent',
      schedule_config: {
        type: 'event-based',
        eventTrigger: 'custom_webhook',
        delayAmount: 0,
        delayUnit: 'minutes',
        timezone: 'UTC',
      },
      content: { subject: 'Form', message: 'From {{from}}', recipients: ['erin@example.com'] },
      metadata: { channels: ['email'] },
    },
  });
  const hook = await fixture.dana.call('GET', `/api/reminders/${json.id}/hook`, { workspace });
  await close(fixture.database);
  await expect.poll(async () => (await fixture.dana.call('GET', '/api/workspaces')).status).toBe(503);
  expect((await fixture.report('{"from": "Kim"}', {}, hook.json.url)).status).toBe(201);
  const arrived = async () =>
    (await fixture.database.query("select body_text from sandbox_messages where recipient = 'erin@example.com'")).rows;
  await expect.poll(arrived).toEqual([{ body_text: expect.stringContaining('From Kim') }]);
});
