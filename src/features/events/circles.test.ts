import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hopsHeader } from '#contract/hops.ts';
import { isOutsideWorkspaces, type Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { untilFound } from '#testing/changes.ts';
import { type HookFixture, openHookFixture } from '#testing/hook-fixture.ts';

describe('what leads back to the installation', () => {
  let fixture: HookFixture;
  let dana: HookFixture['dana'];
  let workspace: string;
  beforeAll(async () => {
    fixture = await openHookFixture();
    ({ dana } = fixture);
  });
  beforeEach(async () => {
    ({ workspace } = await fixture.renew());
  });
  afterAll(() => fixture.close());

  const circle =
    'This goes in a circle: 4 requests of Cuebird led to each other, and now back here. Nothing is sent. Send the message or the webhook somewhere else';

  /** A reminder that is sent as soon as its hook is called. */
  async function quickReminder(): Promise<{ reminder: string; url: string }> {
    const reminder = await fixture.write({ schedule: { delayAmount: 0 } });
    // Webhooks of tests reach this address of the machine only.
    const url = new URL((await fixture.hook(reminder)).json.url);
    url.hostname = '127.0.0.1';
    return { reminder, url: url.href };
  }

  const callsOf = async (reminder: string): Promise<{ status: number; problem: string | null }[]> =>
    (await dana.call('GET', `/api/reminders/${reminder}/hook/calls`, { workspace })).json.data;

  const refusedCall = (reminder: string) =>
    untilFound(fixture.cuebird.databaseUrl, async () =>
      (await callsOf(reminder)).find(({ status }) => status !== 201 && status !== 200),
    );

  const jobsOf = async (reminder: string) =>
    (await fixture.database.query('select id, status from jobs where reminder_id = $1 order by id', [reminder])).rows;

  it('as a message to its own hook is sent four times, then refused, which hook and message say', async () => {
    const { reminder, url } = await quickReminder();
    const { schedule_config } = (await dana.call('GET', `/api/reminders/${reminder}`, { workspace })).json;
    const edited = await dana.call('PUT', `/api/reminders/${reminder}`, {
      workspace,
      body: {
        name: 'Form was sent',
        schedule_config,
        content: { subject: 'Form', message: 'Again', recipients: [url] },
        metadata: { channels: ['webhook'] },
      },
    });
    expect(edited.status).toBe(200);
    expect((await fixture.report('{"from": "Finn"}', {}, url)).status).toBe(201);
    expect(await refusedCall(reminder)).toMatchObject({ status: 422, problem: circle });
    const last = await untilFound(fixture.cuebird.databaseUrl, async () =>
      (await jobsOf(reminder)).find(({ status }) => status === 'failed'),
    );
    expect(await jobsOf(reminder)).toHaveLength(4);
    const { json } = await dana.call('GET', `/api/jobs/${last.id}/deliveries`, { workspace });
    expect(JSON.stringify(json.data)).toContain('goes in a circle');
  });

  it('as an activity of a webhook to a hook is sent four times, then refused, which hook and webhook say', async () => {
    const { reminder, url } = await quickReminder();
    const { json: webhook } = await dana.call('POST', '/api/webhooks', {
      workspace,
      body: { url, activity_types: ['job.completed', 'job.failed'] },
    });
    expect((await fixture.report('{"from": "Finn"}', {}, url)).status).toBe(201);
    expect(await refusedCall(reminder)).toMatchObject({ status: 422, problem: circle });
    const activity = await untilFound(fixture.cuebird.databaseUrl, async () => {
      const { json } = await dana.call('GET', `/api/webhooks/${webhook.id}/activities`, { workspace });
      return json.data.find(({ answer }: { answer: string | null }) => answer?.includes('circle'));
    });
    expect(activity).toMatchObject({ status: 'waiting', answer: expect.stringContaining('HTTP 422') });
    expect(await jobsOf(reminder)).toHaveLength(4);
  });

  it('is refused by the API as well, and what it asks for carries the count on', async () => {
    const { json: template } = await dana.call('POST', '/api/templates', {
      workspace,
      body: { name: 'Rent', content: { subject: 'Rent', body: 'Due', type: 'email' } },
    });
    const message = { template_id: template.id };
    const once = { type: 'scheduled', scheduleType: 'once', startDate: '2099-01-01T09:00:00', timezone: 'UTC' };
    const asked: [string, object][] = [
      ['/api/events', { event: 'user_signup', data: {} }],
      ['/api/notifications/send', { ...message, recipient: 'erin@example.com' }],
      ['/api/jobs', { ...message, name: 'Rent', recipients: ['erin@example.com'], schedule: once }],
    ];
    for (const [path, body] of asked) {
      const send = (hops: string) => dana.call('POST', path, { workspace, body, headers: { [hopsHeader]: hops } });
      const refused = await send('4');
      expect([refused.status, refused.json.error.message], path).toEqual([422, circle]);
      expect((await send('many')).status, path).toBe(400);
      expect((await send('3')).status, path).toBeLessThan(300);
    }
    const { rows } = await fixture.database.query(
      "select payload -> 'hops' as hops from jobs where workspace_id = $1 and type = 'api_notification'",
      [workspace],
    );
    expect(rows).toEqual([{ hops: 3 }, { hops: 3 }]);
  });

  it('schedules no message that is repeated', async () => {
    const { json: template } = await dana.call('POST', '/api/templates', {
      workspace,
      body: { name: 'Rent', content: { subject: 'Rent', body: 'Due', type: 'email' } },
    });
    const schedule = { type: 'scheduled', scheduleType: 'daily', startDate: '2099-01-01T09:00:00', timezone: 'UTC' };
    const refused = await dana.call('POST', '/api/jobs', {
      workspace,
      body: { template_id: template.id, name: 'Rent', recipients: ['erin@example.com'], schedule },
      headers: { [hopsHeader]: '1' },
    });
    expect([refused.status, refused.json.error.message]).toEqual([
      422,
      'A message of Cuebird cannot schedule a message that is repeated',
    ]);
  });

  it('reaches no call of the API with its own key that would begin messages', async () => {
    const { json: key } = await dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'CRM', scopes: ['manage'] },
    });
    // Webhooks of tests reach this address of the machine only.
    const url = new URL('/api/reminders', fixture.cuebird.url);
    url.hostname = '127.0.0.1';
    const again = {
      name: 'Again',
      schedule_config: { type: 'scheduled', scheduleType: 'custom', customCron: '* * * * *', timezone: 'UTC' },
      content: { subject: 'Again', message: 'Again', recipients: [url.href] },
      metadata: { channels: ['webhook'] },
    };
    const { status, json: channel } = await dana.call('POST', '/api/channels', {
      workspace,
      body: {
        name: 'Ourselves',
        type: 'webhook',
        configuration: {
          url: url.href,
          headers: JSON.stringify({ authorization: `Bearer ${key.key}` }),
          body: JSON.stringify(again),
        },
      },
    });
    expect(status, JSON.stringify(channel)).toBe(201);
    const reminder = await fixture.write({
      schedule: { delayAmount: 0 },
      content: again.content,
      metadata: again.metadata,
    });
    await fixture.report('{}', {}, (await fixture.hook(reminder)).json.url);
    const job = await untilFound(fixture.cuebird.databaseUrl, async () =>
      (await jobsOf(reminder)).find((one) => ['failed', 'completed'].includes(one.status)),
    );
    const { json } = await dana.call('GET', `/api/jobs/${job.id}/deliveries`, { workspace });
    expect(JSON.stringify(json.data)).toContain('HTTP 422');
    const { rows } = await fixture.database.query(
      "select name from reminders where workspace_id = $1 and name = 'Again'",
      [workspace],
    );
    expect(rows).toEqual([]);
  });

  it('is refused by each call that changes something, and from the first round where that begins messages', async () => {
    const { json: key } = await dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'CRM', scopes: ['manage', 'send', 'read'] },
    });
    const writing = Object.entries<Route>(routes).filter(
      ([, { method, access }]) => method !== 'get' && !isOutsideWorkspaces(access),
    );
    const answers: Record<string, unknown[]> = {};
    for (const [name, { method, path, callers }] of writing) {
      const send = async (hops: string) => {
        const { status, json } = await dana.call(method.toUpperCase(), path.replaceAll(/:\w+/g, workspace), {
          workspace,
          headers: {
            [hopsHeader]: hops,
            ...(callers !== 'people' && { authorization: `Bearer ${key.key}` }),
          },
        });
        return `${status} ${json.error?.message}`;
      };
      answers[name] = [await send('4'), (await send('1')).startsWith('422 A message of Cuebird')];
    }
    expect(answers).toEqual(
      Object.fromEntries(
        writing.map(([name, { beginsMessages }]) => [name, [`422 ${circle}`, beginsMessages === true]]),
      ),
    );
  });
});
