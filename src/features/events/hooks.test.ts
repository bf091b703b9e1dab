import { hookToken } from '#features/events/hook-token.ts';
import { untilFound } from '#testing/changes.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HookFixture, openHookFixture } from '#testing/hook-fixture.ts';

describe('the hook of a reminder', () => {
  let fixture: HookFixture;
  let cuebird: HookFixture['cuebird'];
  let database: HookFixture['database'];
  let dana: HookFixture['dana'];
  let member: HookFixture['member'];
  let workspace: string;
  let reminder: string;
  let url: string;
  let write: HookFixture['write'];
  let hook: HookFixture['hook'];
  let setSecret: HookFixture['setSecret'];
  let report: HookFixture['report'];
  let dataOf: HookFixture['dataOf'];
  let jobCount: HookFixture['jobCount'];
  beforeAll(async () => {
    fixture = await openHookFixture();
    ({ cuebird, database, dana, member, write, hook, setSecret, report, dataOf, jobCount } = fixture);
  });
  beforeEach(async () => {
    ({ workspace, reminder, url } = await fixture.renew());
  });
  afterAll(() => fixture.close());

  describe('accepts the report of another system', () => {
    it('and creates a job after the reminder’s delay, only for this reminder', async () => {
      await write({ name: 'Another form' });
      const taken = await report('{"from": "Finn", "cart": {"total": 12}}');
      expect(taken.status).toBe(201);
      expect(taken.json).toEqual({
        id: expect.any(String),
        event: 'custom_webhook',
        key: expect.any(String),
        jobs: [{ job_id: expect.any(String), reminder_id: reminder, scheduled_for: expect.any(String) }],
        cancelled_at: null,
      });
      const [job] = taken.json.jobs;
      expect(Math.abs(Date.parse(job.scheduled_for) - Date.now() - 3_600_000)).toBeLessThan(60_000);
      expect(await dataOf(job.job_id)).toEqual({ from: 'Finn', 'cart.total': '12' });
      expect(await jobCount()).toBe(1);
    });

    it('and sends it', async () => {
      const quick = await write({ schedule: { delayAmount: 0 } });
      await report('{"from": "Finn"}', {}, (await hook(quick)).json.url);
      const mail = await untilFound(cuebird.databaseUrl, async () => {
        const { data } = (await dana.call('GET', '/api/inbox', { workspace })).json;
        return data[0];
      });
      expect(mail).toMatchObject({ recipient: 'erin@example.com', subject: 'Form' });
      expect(mail.text).toContain('From Finn');
    });

    it.each<[string, string, string, object]>([
      [
        'a form',
        'application/x-www-form-urlencoded',
        'from=Finn+Fox&box=a&box=b&note=',
        { from: 'Finn Fox', box: 'a, b', 'box.0': 'a', 'box.1': 'b', note: '' },
      ],
      ['JSON by another name', 'application/cloudevents+json; charset=utf-8', '{"from": "Finn"}', { from: 'Finn' }],
      ['nothing at all', '', '', {}],
    ])('as %s', async (_, type, body, data) => {
      const taken = await report(body, { 'content-type': type });
      expect(taken.status).toBe(201);
      expect(await dataOf(taken.json.jobs[0].job_id)).toEqual(data);
    });

    it('from a page of another site', async () => {
      expect((await report('{}', { origin: 'https://forms.example' })).status).toBe(201);
    });

    it('and ignores its recipients: the reminder’s own are used', async () => {
      const taken = await report('{"recipients": ["victim@example.com"]}');
      const job = await dana.call('GET', `/api/jobs/${taken.json.jobs[0].job_id}`, { workspace });
      expect(job.json.payload).toEqual({
        data: { recipients: 'victim@example.com', 'recipients.0': 'victim@example.com' },
      });
    });

    it.each(['webhook-id', 'idempotency-key'])('once per %s', async (header) => {
      const first = await report('{"attempt": 1}', { [header]: 'msg_1' });
      const again = await report('{"attempt": 2}', { [header]: 'msg_1' });
      expect([first.status, again.status]).toEqual([201, 200]);
      expect(again.json).toEqual(first.json);
      expect(first.json.key).toBe('msg_1');
      const other = await write({ name: 'Another form' });
      expect((await report('{}', { [header]: 'msg_1' }, (await hook(other)).json.url)).status).toBe(201);
      expect(await jobCount()).toBe(2);
    });

    it('and can be cancelled by the sender’s key', async () => {
      const { json } = await report('{}', { 'webhook-id': 'msg_1' });
      const cancel = (body: object) => dana.call('POST', '/api/events/cancel', { workspace, body });
      expect((await cancel({ key: 'msg_1' })).status).toBe(404);
      const cancelled = await cancel({ key: 'msg_1', reminder_id: reminder });
      expect(cancelled.json).toMatchObject({ id: json.id, cancelled: json.jobs });
    });

    it('and reports when nothing is sent', async () => {
      await dana.call('PATCH', `/api/reminders/${reminder}`, { workspace, body: { status: 'paused' } });
      const taken = await report();
      expect(taken.status).toBe(201);
      expect(taken.json).toMatchObject({ jobs: [], hint: 'The reminder is not active, so nothing is sent' });
    });
  });

  describe('refuses', () => {
    it.each<[string, string, string, string]>([
      [
        'more than a thousand fields',
        'application/x-www-form-urlencoded',
        'a&'.repeat(1_001),
        'The form has more than 1000 fields',
      ],
      ['another type', 'text/plain', 'hello', 'Send the body as application/json or application/x-www-form-urlencoded'],
      ['broken JSON', 'application/json', '{"a"', 'The body is not valid JSON'],
      ['a list', 'application/json', '[1]', 'must be an object'],
      ['a lone value', 'application/json', '"x"', 'must be an object'],
      ['NUL', 'application/json', '{"a": "\\u0000"}', 'a must not contain the NUL character'],
      [
        'endless depth',
        'application/json',
        `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
        'is nested more than 30 levels deep',
      ],
    ])('%s', async (_, type, body, message) => {
      const refused = await report(body, { 'content-type': type });
      expect(refused.status).toBe(400);
      expect(refused.json.error.message).toContain(message);
      expect(await jobCount()).toBe(0);
    });

    it('bytes that are not UTF-8', async () => {
      const refused = await report(Buffer.from('{"a": "\xff"}', 'latin1'));
      expect([refused.status, refused.json.error.message]).toEqual([400, 'The body is not valid UTF-8']);
    });

    it('a body of more than 64 KiB, announced or not', async () => {
      const text = JSON.stringify({ a: 'x'.repeat(65_536) });
      expect((await report(text)).status).toBe(413);
      const stream = { body: new Blob([text]).stream(), duplex: 'half' };
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...stream,
      });
      expect([response.status, (await response.json()).error.message]).toEqual([413, 'The body is larger than 64 KiB']);
    });

    it.each(['webhook-id', 'idempotency-key'])('an endless %s', async (header) => {
      const refused = await report('{}', { [header]: 'x'.repeat(201) });
      expect(refused.json.error.fields).toEqual([{ path: header, message: 'must be 1 to 200 characters' }]);
    });

    it('a URL that is unknown or belongs to another reminder or installation', async () => {
      const token = url.split('/').at(-1) ?? '';
      const target = { workspaceId: workspace, reminderId: reminder, generation: 0 };
      const flipped = token.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'));
      const tokens = [
        flipped,
        token.slice(0, -1),
        `${token}A`,
        'x',
        '%00',
        hookToken(target, Buffer.alloc(32)),
        '/'.repeat(5),
      ];
      for (const wrong of tokens) {
        const refused = await report('{}', {}, `${cuebird.url}/api/hooks/${wrong}`);
        expect([wrong, refused.status]).toEqual([wrong, 404]);
      }
    });

    it('all requests once the reminder has another trigger or is deleted', async () => {
      const { json } = await dana.call('GET', `/api/reminders/${reminder}`, { workspace });
      const { name, content, metadata, schedule_config: schedule } = json;
      const other = { name, content, metadata, schedule_config: { ...schedule, eventTrigger: 'user_signup' } };
      await dana.call('PUT', `/api/reminders/${reminder}`, { workspace, body: other });
      expect((await report()).status).toBe(404);
      await dana.call('DELETE', `/api/reminders/${reminder}`, { workspace });
      expect((await report()).status).toBe(404);
    });

    it('requests over the hourly limit of the plan, counted apart from API keys', async () => {
      await database.query("update workspaces set trial_ends_at = now() - interval '1 second' where id = $1", [
        workspace,
      ]);
      await report();
      await database.query('update request_counts set used = 99 where workspace_id = $1', [workspace]);
      expect((await report()).status).toBe(201);
      const refused = await report();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
      expect(await jobCount()).toBe(2);
      const { key } = (
        await dana.call('POST', '/api/api-keys', {
          workspace,
          body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
        })
      ).json;
      const byKey = await fetch(`${cuebird.url}/api/reminders`, { headers: { authorization: `Bearer ${key}` } });
      expect(byKey.status).toBe(200);
    });
  });

  describe('its URL', () => {
    it('is visible to every member, and replaced only by admins', async () => {
      expect((await hook(reminder, member)).json).toEqual({ url, is_signed: false });
      expect(url).toMatch(new RegExp(`^${cuebird.url}/api/hooks/[\\w-]{70}$`));
      const tried = await member.call('POST', `/api/reminders/${reminder}/hook`, { workspace });
      expect(tried.status).toBe(403);
    });

    it('is different after it is replaced, and the old one is refused', async () => {
      const rotated = await dana.call('POST', `/api/reminders/${reminder}/hook`, { workspace });
      expect(rotated.json.url).not.toBe(url);
      expect((await hook()).json.url).toBe(rotated.json.url);
      expect((await report()).status).toBe(404);
      expect((await report('{}', {}, rotated.json.url)).status).toBe(201);
    });

    it('keeps its secret when it is replaced', async () => {
      await setSecret('sixteen letters!');
      const rotated = await dana.call('POST', `/api/reminders/${reminder}/hook`, { workspace });
      expect(rotated.json.is_signed).toBe(true);
    });

    it('is replaced once by a repeated request, whose answer is stored encrypted', async () => {
      const rotate = () =>
        dana.call('POST', `/api/reminders/${reminder}/hook`, { workspace, headers: { 'idempotency-key': 'once' } });
      const [first, again] = [await rotate(), await rotate()];
      expect(again.json).toEqual(first.json);
      const { rows } = await database.query('select answer from idempotency_keys where workspace_id = $1', [workspace]);
      expect(rows).toEqual([{ answer: expect.stringMatching(/^v1\./) }]);
    });

    it('is audited whenever it or its secret changes', async () => {
      await dana.call('POST', `/api/reminders/${reminder}/hook`, { workspace });
      await setSecret('sixteen letters!');
      await setSecret(null);
      const { rows } = await database.query(
        "select action, target, actor_id from audit_log where workspace_id = $1 and action like 'hook.%' order by created_at, id",
        [workspace],
      );
      const by = { target: reminder, actor_id: dana.userId };
      expect(rows).toEqual([
        { action: 'hook.rotated', ...by },
        { action: 'hook.secret_set', ...by },
        { action: 'hook.secret_removed', ...by },
      ]);
    });

    it('exists only for reminders that wait for a custom webhook', async () => {
      const other = await write({ schedule: { eventTrigger: 'user_signup' } });
      const refused = await hook(other);
      expect([refused.status, refused.json.error.message]).toEqual([
        422,
        'Only a reminder that waits for a custom webhook has a hook',
      ]);
    });
  });
});
