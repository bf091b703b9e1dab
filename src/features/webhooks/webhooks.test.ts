import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { webhookLimits } from '#contract/webhooks.ts';
import { verifySignature } from '#features/events/hook-signature.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

type Call = { headers: IncomingHttpHeaders; body: Buffer };

describe('the webhooks of a workspace', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let receiver: Server;
  let url: string;
  let calls: Call[] = [];
  let status = 200;
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      void buffer(request).then((body) => {
        calls.push({ headers: request.headers, body });
        response.writeHead(status).end('thanks');
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`;
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    calls = [];
    status = 200;
  });
  afterAll(async () => {
    receiver.close().closeAllConnections();
    await cuebird.stop();
  });

  const create = (body: object = { url, activity_types: ['job.completed'] }, as = dana) =>
    as.call('POST', '/api/webhooks', { workspace, body });
  const webhooks = async () => (await dana.call('GET', '/api/webhooks', { workspace })).json.data;
  const log = async (id: string, query = '') =>
    (await dana.call('GET', `/api/webhooks/${id}/activities${query}`, { workspace })).json.data;
  const replay = (id: string, body: object) => dana.call('POST', `/api/webhooks/${id}/replay`, { workspace, body });

  it('are sent an event that somebody tests, signed with the secret of the workspace, and show the answer', async () => {
    const { status: made, json: webhook } = await create();
    expect([made, webhook]).toEqual([
      201,
      {
        id: expect.any(String),
        url,
        activity_types: ['job.completed'],
        state: 'active',
        disabled_at: null,
        failing_since: null,
        last: null,
        waiting: 0,
        dropped: null,
        created_at: expect.any(String),
      },
    ]);
    const tested = await dana.call('POST', `/api/webhooks/${webhook.id}/test`, { workspace });
    expect([tested.status, tested.json.type, tested.json.status]).toEqual([202, 'webhook.test', 'waiting']);
    await expect.poll(async () => (await log(webhook.id))[0]?.status).toBe('accepted');
    const { secret } = (await dana.call('POST', '/api/signing-secret', { workspace })).json;
    const [call] = calls;
    expect(call?.headers['webhook-id']).toBe(tested.json.id);
    expect(call?.body.toString()).toBe(tested.json.body);
    expect(isSignedWith(call!, secret)).toBe(true);
    expect(await log(webhook.id)).toMatchObject([{ attempts: 1, answer: 'HTTP 200: thanks' }]);
    await expect
      .poll(webhooks)
      .toMatchObject([{ last: { outcome: 'accepted', answer: 'HTTP 200: thanks' }, waiting: 0 }]);
  });

  it('send one event again, or those of a time range, under the same webhook-id', async () => {
    const { id } = (await create()).json;
    const template = await dana.call('POST', '/api/templates', {
      workspace,
      body: { name: 'Rent', content: { type: 'webhook', subject: 'Rent', body: 'Rent is due' } },
    });
    await dana.call('POST', '/api/notifications/send', {
      workspace,
      body: { template_id: template.json.id, recipient: url },
    });
    const received = (type: string) => calls.filter(({ body }) => body.includes(`"${type}"`));
    await expect.poll(() => received('job.completed').length).toBe(1);
    await expect.poll(async () => (await log(id))[0]?.status).toBe('accepted');
    const [activity] = await log(id);
    expect((await replay(id, { activity_id: activity.id })).json).toEqual({ replayed: 1 });
    await expect.poll(() => received('job.completed').length).toBe(2);
    await expect.poll(async () => (await log(id, '?status=accepted')).length).toBe(1);
    const hour = 3_600_000;
    const range = (from: number, to: number) => ({
      from: new Date(Date.now() + from * hour).toISOString(),
      to: new Date(Date.now() + to * hour).toISOString(),
    });
    expect((await replay(id, range(-3, -2))).json).toEqual({ replayed: 0 });
    expect((await replay(id, range(-1, 1))).json).toEqual({ replayed: 1 });
    await expect.poll(() => received('job.completed').length).toBe(3);
    expect(new Set(received('job.completed').map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([activity.id]),
    );
    expect((await replay(id, range(1, -1))).status).toBe(400);
    expect((await replay(id, { activity_id: crypto.randomUUID() })).status).toBe(404);
  });

  it('send two thousand again in an hour at most, however few calls ask for them', async () => {
    const { id } = (await create()).json;
    await cuebird.owner.query(
      `insert into webhook_activities (workspace_id, webhook_id, type, body, occurred_at, expires_at, status, completed_at)
       select $1, $2, 'job.completed', '{}', now() - interval '1 minute', now(), 'failed', now() from generate_series(1, 900)`,
      [workspace, id],
    );
    // So that none is sent meanwhile.
    await cuebird.owner.query("update webhooks set backoff_until = now() + interval '1 hour' where id = $1", [id]);
    const again = async () => {
      const { status, json } = await replay(id, {
        from: new Date(Date.now() - 3_600_000).toISOString(),
        to: new Date(Date.now() + 3_600_000).toISOString(),
      });
      await cuebird.owner.query(
        "update webhook_activities set status = 'failed', next_attempt_at = null, completed_at = now() where webhook_id = $1 and status = 'waiting'",
        [id],
      );
      return status === 202 ? json : [status, json.error.message];
    };
    expect([await again(), await again()]).toEqual([{ replayed: 900 }, { replayed: 900 }]);
    expect(await again()).toEqual([429, expect.stringMatching(/^Too many activities were sent again\. Try again in /)]);
  });

  it('are no jobs, no deliveries and no usage', async () => {
    const { id } = (await create()).json;
    await dana.call('POST', `/api/webhooks/${id}/test`, { workspace });
    await expect.poll(async () => (await log(id))[0]?.status).toBe('accepted');
    for (const table of ['jobs', 'deliveries', 'job_executions', 'monthly_usage'])
      expect(
        (await cuebird.owner.query(`select from ${table} where workspace_id = $1`, [workspace])).rowCount,
        table,
      ).toBe(0);
    expect(await log(id), 'and tell of nothing themselves').toHaveLength(1);
  });

  it('are changed, turned off and on again, and deleted with their log', async () => {
    const { id } = (await create()).json;
    const change = (body: object) => dana.call('PATCH', `/api/webhooks/${id}`, { workspace, body });
    expect((await change({ activity_types: ['job.failed', 'job.failed', 'job.missed'] })).json.activity_types).toEqual([
      'job.failed',
      'job.missed',
    ]);
    expect((await change({ is_active: false })).json.state).toBe('off');
    const refused = await dana.call('POST', `/api/webhooks/${id}/test`, { workspace });
    expect([refused.status, refused.json.error.message]).toEqual([409, 'The webhook is off. Turn it on first.']);
    expect((await change({ is_active: true })).json.state).toBe('active');
    await dana.call('POST', `/api/webhooks/${id}/test`, { workspace });
    expect((await dana.call('DELETE', `/api/webhooks/${id}`, { workspace })).status).toBe(200);
    expect(await webhooks()).toEqual([]);
    expect((await cuebird.owner.query('select from webhook_activities where webhook_id = $1', [id])).rowCount).toBe(0);
  });

  it('are refused an address that Cuebird does not connect to, and more than ten', async () => {
    const problems = async (target: string) => {
      const { status: answered, json } = await create({ url: target, activity_types: ['job.failed'] });
      return [answered, json.error.fields[0].path];
    };
    for (const target of [
      'http://169.254.169.254/latest',
      'http://10.0.0.1/',
      'https://dana:pw@example.com/',
      'ftp://example.com/',
    ])
      expect(await problems(target), target).toEqual([400, 'url']);
    const { id } = (await create()).json;
    const moved = await dana.call('PATCH', `/api/webhooks/${id}`, { workspace, body: { url: 'http://10.0.0.1/' } });
    expect(moved.status).toBe(400);
    for (let count = 1; count < webhookLimits.webhooks; count += 1) expect((await create()).status).toBe(201);
    const [one, two] = await Promise.all([create(), create()]);
    expect([one.status, two.status]).toEqual([409, 409]);
  });

  it('are for admins and keys that may manage, and for their own workspace', async () => {
    const { id } = (await create()).json;
    const kim = await cuebird.signUp('Kim');
    await addMember(cuebird.owner, { workspace, userId: kim.userId, role: 'member' });
    expect((await create(undefined, kim)).status).toBe(403);
    expect((await kim.call('GET', '/api/webhooks', { workspace })).status).toBe(403);
    const keyOf = async (scopes: string[]) =>
      (await dana.call('POST', '/api/api-keys', { workspace, body: { name: 'K', scopes } })).json.key;
    const asKey = async (key: string) =>
      (await fetch(`${cuebird.url}/api/webhooks`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect([await asKey(await keyOf(['read', 'send'])), await asKey(await keyOf(['manage']))]).toEqual([403, 200]);
    const elsewhere = await kim.createWorkspace('Oak Lane');
    for (const path of [`/api/webhooks/${id}/test`, `/api/webhooks/${id}/replay`])
      expect(
        (
          await kim.call('POST', path, {
            workspace: elsewhere,
            body: path.endsWith('replay') ? { activity_id: id } : undefined,
          })
        ).status,
      ).toBe(404);
    expect((await kim.call('GET', `/api/webhooks/${id}/activities`, { workspace: elsewhere })).status).toBe(404);
  });

  it('do not exist in a demo, which sends into the sandbox only', async () => {
    await cuebird.owner.query("update workspaces set demo_until = now() + interval '1 day' where id = $1", [workspace]);
    const refused = await create();
    expect([refused.status, refused.json.error.message]).toEqual([
      422,
      'The demo sends into the sandbox only, and has no webhooks',
    ]);
  });

  const isSignedWith = ({ headers, body }: Call, secret: string) =>
    'key' in
    verifySignature({
      headers: new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])),
      body,
      secret,
      now: Temporal.Now.instant(),
    });
});
