import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { untilFound } from '#testing/changes.ts';

let cuebird: TestCuebird;
let dana: TestPerson;
let workspace: string;
let url: string;
const posted: string[] = [];
/** Slack: it takes every post. */
const slack = createServer(async (request, response) => {
  const body = JSON.parse(await text(request));
  posted.push(body.text);
  response.end(request.url === '/api/chat.postMessage' ? JSON.stringify({ ok: true, ts: '1.2', channel: 'C1' }) : 'ok');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve));
  const address = slack.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  cuebird = await startTestCuebird();
  dana = await cuebird.signUp('Dana');
  workspace = await dana.createWorkspace('Elm Street');
});
afterAll(async () => {
  await cuebird.stop();
  slack.close();
});

const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });

const configurations = (allow: boolean) => [
  { method: 'webhook', webhook_url: `${url}/services/T1/B1/x`, ...(allow && { allow_mentions: true }) },
  {
    method: 'bot',
    bot_token: 'xoxb-1',
    channel: '#general',
    base_url: `${url}/api`,
    ...(allow && { allow_mentions: true }),
  },
];

/** What Slack got of a reminder with a value that would ping everybody. */
async function sent(format: 'plain' | 'markdown'): Promise<string | undefined> {
  posted.length = 0;
  const content = { subject: 'On call <!here>', message: 'Hi @here and <@U012AB>: {{note}}', format, recipients: [] };
  const { status, json: reminder } = await call('POST', '/api/reminders', {
    name: 'On call',
    schedule_config: { type: 'scheduled', scheduleType: 'once', timezone: 'UTC' },
    content: { ...content, values: { note: '<!channel> @everyone' } },
    metadata: { channels: ['slack'] },
  });
  expect(status).toBe(201);
  const job = await untilFound(cuebird.databaseUrl, async () => {
    const [found] = (await call('GET', `/api/jobs?reminder_id=${reminder.id}`)).json.data;
    return found?.status === 'completed' ? found : undefined;
  });
  const { json: shown } = await call('GET', `/api/jobs/${job.id}/message?channel=slack&recipient=slack`);
  expect(shown.message.text).toBe(posted[0]);
  return posted[0];
}

it.each([0, 1])('ping only where an admin has let them, and only what the author wrote (%i)', async (at) => {
  const subject = '*On call &lt;!here&gt;*';
  const value = '&lt;!channel&gt; @everyone';
  const { status, json: channel } = await call('POST', '/api/channels', {
    name: 'Team',
    type: 'slack',
    configuration: configurations(false)[at],
  });
  expect(status).toBe(201);
  for (const format of ['plain', 'markdown'] as const)
    expect(await sent(format)).toBe(`${subject}\nHi @here and &lt;@U012AB&gt;: ${value}`);
  const changed = await call('PATCH', `/api/channels/${channel.id}`, { configuration: configurations(true)[at] });
  expect([changed.status, changed.json.configuration.allow_mentions]).toEqual([200, true]);
  for (const format of ['plain', 'markdown'] as const)
    expect(await sent(format)).toBe(`${subject}\nHi <!here> and <@U012AB>: ${value}`);
  await call('DELETE', `/api/channels/${channel.id}`);
});

it('are turned on by nothing but true', async () => {
  const [configuration] = configurations(false);
  const { json: channel } = await call('POST', '/api/channels', { name: 'Team', type: 'slack', configuration });
  expect(channel.configuration).not.toHaveProperty('allow_mentions');
  const change = { configuration: { ...configuration, allow_mentions: 'yes' } };
  expect((await call('PATCH', `/api/channels/${channel.id}`, change)).status).toBe(400);
});

it('are named by the preview of a template, which pings nobody', async () => {
  const content = { subject: 'Hi', body: '@here {{x}} <!here>', type: 'email' };
  const body = { content, channel: 'slack', values: { x: '<!channel>' } };
  const { status, json } = await call('POST', '/api/templates/preview', body);
  expect([status, json.body, json.mentions]).toEqual([200, '@here &lt;!channel&gt; &lt;!here&gt;', ['<!here>']]);
});
