import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSecretBox } from '#platform/secrets.ts';
import { createAccounts } from '#sandbox/accounts.ts';
import { type CheckFixture, openCheckFixture, serve } from '#testing/check-fixture.ts';
import { type ApiAnswer, startTestCuebird } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { openEventStream } from '#testing/event-stream.ts';
import { addMember } from '#testing/owner.ts';
import { closeServers } from '#testing/tcp-server.ts';

/** What the sandbox's mail server asks of a workspace. */
const mailPasswordOf = (workspace: string) =>
  createAccounts(createSecretBox(TEST_ENCRYPTION_KEY).deriveKey('sandbox')).secretOf('smtp', workspace);

describe('a channel', () => {
  let fixture: CheckFixture;
  let cuebird: CheckFixture['cuebird'];
  let database: CheckFixture['database'];
  let sink: CheckFixture['sink'];
  let dana: CheckFixture['dana'];
  let workspace: string;
  let create: CheckFixture['create'];
  let test: CheckFixture['test'];
  let read: CheckFixture['read'];
  beforeAll(async () => {
    fixture = await openCheckFixture();
    ({ cuebird, database, sink, dana, create, test, read } = fixture);
  });
  beforeEach(async () => {
    ({ workspace } = await fixture.renew());
  });
  afterEach(() => {
    closeServers();
    sink.release();
  });
  afterAll(() => fixture.close());

  const fieldsOf = ({ status, json }: ApiAnswer) => ({ status, fields: json.error?.fields });

  describe('that is tested', () => {
    it('sends a real message, shows the answer, and becomes verified', async () => {
      const id = await create('webhook', { url: sink.urlFor('desk'), headers: '{"x-desk": "7"}' });
      const before = await read(id);
      expect(before.is_verified).toBe(false);
      const answer = await test(id, { message: 'Do you read me?' });
      expect(answer).toMatchObject({ status: 200, json: { success: true, message: 'HTTP 200: thanks' } });

      const call = sink.calls.at(-1);
      expect(call?.headers['x-desk']).toBe('7');
      expect(JSON.parse(call?.body ?? '')).toMatchObject({
        type: 'reminder.due',
        data: { name: 'Front desk', message: 'Do you read me?', is_test: true, attempt: 1, reminder_id: null },
      });
      // When it was last changed decides which of two channels is used: a test is no change.
      expect(await read(id)).toEqual({ ...before, is_verified: true });
    });

    it('sends a change notice when it becomes verified', async () => {
      const id = await create('webhook', { url: sink.urlFor('desk') });
      const stream = await openEventStream(cuebird.url, { as: dana, workspace });
      await stream.next();
      await test(id);
      expect(await stream.next()).toBe('data: {"table":"channels"}');
      await stream.close();
    });

    it('uses the recipient in the request, or a URL instead of its own', async () => {
      const id = await create('webhook', { url: sink.urlFor('desk') });
      await test(id, { recipient: 'Ann <ann@example.com>' });
      expect(sink.calls.at(-1)).toMatchObject({ recipient: 'desk' });
      expect(JSON.parse(sink.calls.at(-1)?.body ?? '').data).toMatchObject({
        recipient: 'ann@example.com',
        recipient_name: 'Ann',
        message: 'This is a test message from Cuebird.',
      });
      await test(id, { recipient: sink.urlFor('elsewhere') });
      expect(sink.calls.at(-1)).toMatchObject({ recipient: 'elsewhere' });
    });

    it('by GET carries message, subject and timestamp in its query and the configured headers', async () => {
      const { url, requests } = await serve(200, 'seen');
      const id = await create('webhook', { url: `${url}/ring?line=2`, method: 'GET', headers: '{"x-desk": "7"}' });
      expect((await test(id, { message: 'Hello' })).json).toEqual({ success: true, message: 'HTTP 200: seen' });
      const [request] = requests;
      const requested = new URL(request?.url ?? '', url);
      expect(request?.headers['x-desk']).toBe('7');
      expect(Object.fromEntries(requested.searchParams)).toMatchObject({
        line: '2',
        message: 'Hello',
        subject: 'Test of Front desk',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      });
    });

    it('shows the status and the text of a failed GET, and stays unverified', async () => {
      const { url } = await serve(500, 'out of order');
      const id = await create('webhook', { url, method: 'GET' });
      expect((await test(id)).json).toEqual({ success: false, message: 'HTTP 500: out of order' });
      expect((await read(id)).is_verified).toBe(false);
    });

    it.each([undefined, 'ann@example.com', 'javascript:alert(1)'])('by GET needs a URL, not %s', async (recipient) => {
      const id = await create('webhook', { url: sink.urlFor('desk'), method: 'GET' });
      if (recipient === undefined)
        await database.query("update channels set configuration = configuration - 'url' where id = $1", [id]);
      expect(fieldsOf(await test(id, { recipient }))).toEqual({
        status: 400,
        fields: [{ path: 'recipient', message: 'Please provide a valid URL for GET webhook testing' }],
      });
    });

    it('shows why the receiver could not be reached', async () => {
      const id = await create('webhook', { url: 'http://127.0.0.1:2/' });
      const { status, json } = await test(id);
      expect(status).toBe(200);
      expect(json).toEqual({ success: false, message: expect.stringMatching(/^Not sent: .*refused/i) });
    });

    it('sends mail over its own server with its stored secret', async () => {
      const { json } = await dana.call('GET', '/api/inbox/addresses', { workspace });
      const password = mailPasswordOf(workspace);
      const id = await create('email', {
        smtp_host: json.smtp_host,
        smtp_port: json.smtp_port,
        username: workspace,
        password,
        from_email: 'desk@example.com',
        use_tls: false,
      });
      const answer = await test(id, { recipient: 'Ann Lee <ann@example.com>', message: 'A test for Ann' });
      expect(answer.json).toEqual({ success: true, message: expect.stringMatching(/^250 /) });
      expect(JSON.stringify(answer.json)).not.toContain(password);
      const inbox = await dana.call('GET', '/api/inbox', { workspace });
      expect(inbox.json.data[0]).toMatchObject({
        channel: 'email',
        sender: expect.stringContaining('desk@example.com'),
        recipient: expect.stringContaining('ann@example.com'),
        subject: 'Test of Front desk',
        text: expect.stringContaining('A test for Ann'),
      });
      expect((await read(id)).is_verified).toBe(true);
    });

    it.each([undefined, '', '  '])('needs a recipient, unless it is a webhook (%j)', async (recipient) => {
      const id = await create('email', {
        smtp_host: '127.0.0.1',
        smtp_port: 9,
        username: 'dana@example.com',
      });
      expect(fieldsOf(await test(id, { recipient }))).toEqual({
        status: 400,
        fields: [{ path: 'recipient', message: 'Recipient required' }],
      });
    });

    it('must be enabled', async () => {
      const id = await create('webhook', { url: sink.urlFor('off') });
      await dana.call('PATCH', `/api/channels/${id}`, { workspace, body: { is_active: false } });
      const refused = await test(id);
      expect(refused.status).toBe(409);
      expect(refused.json.error.message).toBe('The channel is disabled. Enable it to test it.');
      expect(sink.calls.some(({ recipient }) => recipient === 'off')).toBe(false);
    });

    it('is not verified by a test of its previous configuration', async () => {
      const id = await create('webhook', { url: sink.urlFor('before'), secret: 'the first secret' });
      const before = sink.calls.length;
      sink.holdRequests();
      const testing = test(id);
      await sink.received(before + 1);
      await dana.call('PATCH', `/api/channels/${id}`, {
        workspace,
        body: { configuration: { url: sink.urlFor('before'), secret: 'another secret of it' } },
      });
      sink.release();
      expect((await testing).json.success).toBe(true);
      expect((await read(id)).is_verified).toBe(false);
    });

    it.each([
      'Host',
      'content-length',
      'Transfer-Encoding',
      'Connection',
      'HTTP2-Settings',
      'Webhook-Id',
      'webhook-timestamp',
      'WEBHOOK-SIGNATURE',
    ])('has no %s of its own: it is refused at saving, and at sending were it stored', async (name) => {
      const headers = JSON.stringify({ [name]: 'inside' });
      const sentence = `the header “${name}” is set by Cuebird`;
      const refused = await dana.call('POST', '/api/channels', {
        workspace,
        body: { name: 'Front desk', type: 'webhook', configuration: { url: sink.urlFor('desk'), headers } },
      });
      expect(fieldsOf(refused)).toEqual({
        status: 400,
        fields: [{ path: 'configuration.headers', message: sentence }],
      });

      const id = await create('webhook', { url: sink.urlFor('desk') });
      const sealed = createSecretBox(TEST_ENCRYPTION_KEY).seal(headers, { workspaceId: workspace, channelId: id });
      await database.query(
        `update channels set sealed_secrets = jsonb_build_object('headers', $2::text) where id = $1`,
        [id, sealed],
      );
      const calls = sink.calls.length;
      expect((await test(id)).json.error.message).toBe(
        `The channel cannot be used as it is configured: headers ${sentence}`,
      );
      expect(sink.calls).toHaveLength(calls);
    });

    it('shows members only the result of a webhook’s test, and admins also the receiver’s answer', async () => {
      const { url } = await serve(500, 'the secrets of the house');
      const id = await create('webhook', { url });
      const member = await cuebird.signUp('Member');
      await addMember(database, { workspace, userId: member.userId, role: 'member' });
      expect((await test(id, {}, { as: member })).json).toEqual({ success: false, message: 'HTTP 500' });
      expect((await test(id)).json).toEqual({ success: false, message: 'HTTP 500: the secrets of the house' });
    });

    it('may be tested by members', async () => {
      const id = await create('webhook', { url: sink.urlFor('desk') });
      const member = await cuebird.signUp('Member');
      await addMember(database, { workspace, userId: member.userId, role: 'member' });
      expect((await test(id, {}, { as: member })).json.success).toBe(true);
      expect((await read(id)).is_verified).toBe(true);
    });

    it('does not block others while it waits: five tests at once per workspace, and no database connection', async () => {
      const before = sink.calls.length;
      sink.holdRequests();
      const many = await Promise.all(['Oak', 'Ash', 'Fir'].map((name) => dana.createWorkspace(name)));
      const waiting = await Promise.all(
        many.map(async (of) => {
          const id = await create('webhook', { url: sink.urlFor('slow') }, of);
          return { of, id, tests: Array.from({ length: 5 }, () => test(id, {}, { of })) };
        }),
      );
      await sink.received(before + 15);
      const [first] = waiting;
      if (first === undefined) throw new Error('three are waiting');
      const sixth = await test(first.id, {}, { of: first.of });
      expect(sixth.status).toBe(429);
      expect(sixth.headers.get('retry-after')).toBe('10');
      expect(sixth.json.error.message).toBe(
        '5 tests of this workspace are still under way. Wait for one of them to end. Try again in 10 seconds.',
      );
      sink.release();
      const answers = await Promise.all(waiting.flatMap(({ tests }) => tests));
      expect(answers.map(({ json }) => json.success)).toEqual(Array.from({ length: 15 }, () => true));
      expect((await test(first.id, {}, { of: first.of })).json.success).toBe(true);
    });

    it('repeats the first answer for an Idempotency-Key, and refuses the key until then', async () => {
      const id = await create('webhook', { url: sink.urlFor('once') });
      const keyed = () =>
        dana.call('POST', `/api/channels/${id}/test`, { workspace, body: {}, headers: { 'idempotency-key': 'k1' } });
      const before = sink.calls.length;
      sink.holdRequests();
      const first = keyed();
      await sink.received(before + 1);
      const meanwhile = await keyed();
      expect(meanwhile.status).toBe(409);
      expect(meanwhile.json.error.message).toBe('A request with this Idempotency-Key is still in flight');
      sink.release();
      const { json } = await first;
      expect(json.success).toBe(true);
      expect((await keyed()).json).toEqual(json);
      expect(sink.calls.length).toBe(before + 1);
    });

    it('releases the key of a request whose process died', async () => {
      const id = await create('webhook', { url: sink.urlFor('again') });
      const keyed = () =>
        dana.call('POST', `/api/channels/${id}/test`, { workspace, body: {}, headers: { 'idempotency-key': 'k2' } });
      await keyed();
      const since = (minutes: number) =>
        database.query(
          `update idempotency_keys set status = null, answer = null, created_at = now() - make_interval(mins => $1)
           where workspace_id = $2`,
          [minutes, workspace],
        );
      await since(14);
      expect((await keyed()).status).toBe(409);
      await since(16);
      expect((await keyed()).json.success).toBe(true);
    });
  });

  it('that waits for a hanging server does not delay the shutdown', async () => {
    const other = await startTestCuebird();
    const ben = await other.signUp('Ben');
    const home = await ben.createWorkspace('Oak');
    const before = sink.calls.length;
    sink.holdRequests();
    const created = await ben.call('POST', '/api/channels', {
      workspace: home,
      body: { name: 'Slow', type: 'webhook', configuration: { url: sink.urlFor('slow'), timeout: 120 } },
    });
    const testing = ben.call('POST', `/api/channels/${created.json.id}/test`, { workspace: home, body: {} });
    await sink.received(before + 1);
    await other.stop();
    expect((await testing).json).toEqual({ success: false, message: expect.stringContaining('Cuebird was stopping') });
  });
});
