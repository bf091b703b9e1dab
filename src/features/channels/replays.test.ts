import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChannelType } from '#contract/channel-types.ts';
import { fromPostfix } from '#delivery/email/bounces.fixture.ts';
import { mailNameOf } from '#delivery/email/message-names.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { adaptersOf } from '#delivery/registry.ts';
import { twilioSignature } from '#delivery/twilio/twilio.callback.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { createAccounts } from '#sandbox/accounts.ts';
import type { Happening } from '#sandbox/emulator.ts';
import { emulators } from '#sandbox/emulators/emulators.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';

const ann = '+4917012345678';

/** Every provider that brings what recipients write. */
const dialled: readonly ChannelType[] = ['sms', 'whatsapp'];
const listening = dialled
  .flatMap((type) => adaptersOf(type))
  .filter((adapter) => adapter.parseCallback !== undefined)
  .map((adapter): [string, AnyAdapter] => [`${adapter.type}/${adapter.provider}`, adapter]);
/** Those that say when something was written. */
const timed = listening.filter(([, { provider }]) => provider !== 'twilio');

describe('a repeated callback', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  async function create(type: string, configuration: object): Promise<{ id: string; callback_url: string }> {
    const { json } = await dana.call('POST', '/api/channels', {
      workspace,
      body: { name: 'Own', type, configuration },
    });
    expect(json.error).toBeUndefined();
    return json;
  }

  /** A channel with the account that the sandbox has for it, and what the sandbox would send there. */
  async function open({ type, provider }: AnyAdapter) {
    const { json } = await dana.call('GET', '/api/inbox/addresses', { workspace });
    const account = json.providers.find(
      (one: { channel: string; provider: string }) => one.channel === type && one.provider === provider,
    );
    const emulator = emulators.find((one) => one.provider === provider);
    if (account === undefined || emulator?.report === undefined)
      throw new Error(`The sandbox does not play ${type}/${provider}`);
    const { id, callback_url: callbackUrl } = await create(type, { ...account.configuration, provider });
    const accounts = createAccounts(createSecretBox(TEST_ENCRYPTION_KEY).deriveKey('sandbox'));
    const call = (
      happening: Happening,
      { at = Temporal.Now.instant(), of = randomUUID() }: { at?: Temporal.Instant; of?: string } = {},
    ): HttpRequest[] =>
      emulator.report?.(
        {
          id: of,
          workspaceId: workspace,
          channel: type,
          sender: '+15005550006',
          recipient: ann,
          text: 'Pay, please',
          raw: null,
          segments: 1,
          callbackUrl,
        },
        { happening, accounts, now: at },
      ) ?? [];
    return {
      channelId: id,
      reply: (text: string, at?: Temporal.Instant) => call({ kind: 'reply', id: randomUUID(), text }, { at }),
    };
  }

  /** Posts them as they are; the statuses of the answers. */
  async function post(requests: readonly HttpRequest[]): Promise<number[]> {
    expect(requests).not.toEqual([]);
    const statuses: number[] = [];
    for (const { url, method, headers, body } of requests) {
      const pairs = headers.flatMap((name, at): [string, string][] =>
        at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [],
      );
      const answer = await fetch(url, { method, headers: pairs, ...(body !== undefined && { body: String(body) }) });
      statuses.push(answer.status);
    }
    return statuses;
  }

  const send = async (requests: readonly HttpRequest[]) =>
    expect(new Set(await post(requests))).toEqual(new Set([200]));

  async function isStopped(): Promise<boolean> {
    const { rows } = await database.query(
      `select from suppressions where workspace_id = $1 and recipient = $2 and reason = 'stopped'`,
      [workspace, ann],
    );
    return rows.length > 0;
  }

  /** MessageBird’s signatures are of their minute. */
  const ago = (seconds: number) => Temporal.Now.instant().subtract({ seconds });

  describe.each(listening)('by %s', (_, adapter) => {
    it('a START never removes a later STOP', async () => {
      const { reply } = await open(adapter);
      const [stop, start, again] = [reply('STOP', ago(9)), reply('START', ago(8)), reply('STOP', ago(7))];
      await send(stop);
      expect(await isStopped()).toBe(true);
      await send(start);
      expect(await isStopped()).toBe(false);
      await send(again);
      for (let n = 0; n < 3; n += 1) await send(start);
      expect(await isStopped()).toBe(true);
      await send(reply('START', ago(1)));
      expect(await isStopped()).toBe(false);
    });

    it('a STOP that was removed by START or by a member does not return', async () => {
      const { reply } = await open(adapter);
      const stop = reply('STOP', ago(9));
      await send(stop);
      await send(reply('START', ago(8)));
      await send(stop);
      expect(await isStopped()).toBe(false);
      const second = reply('STOP', ago(7));
      await send(second);
      await database.query('delete from suppressions where workspace_id = $1', [workspace]);
      await send(second);
      expect(await isStopped()).toBe(false);
    });

    it('a START that arrives many times at once counts once', async () => {
      const { reply } = await open(adapter);
      await send(reply('STOP', ago(9)));
      const start = reply('START', ago(8));
      await Promise.all(Array.from({ length: 5 }, () => send(start)));
      await send(reply('STOP', ago(7)));
      await Promise.all(Array.from({ length: 5 }, () => send(start)));
      expect(await isStopped()).toBe(true);
    });
  });

  describe.each(timed)('by %s, with a timestamp,', (_, adapter) => {
    it('a late START does not remove a STOP that was written after it', async () => {
      const { reply } = await open(adapter);
      const start = reply('START', ago(9));
      await send(reply('STOP', ago(8)));
      await send(start);
      expect(await isStopped()).toBe(true);
    });

    it('a late STOP does not override a START that was written after it', async () => {
      const { reply } = await open(adapter);
      const stop = reply('STOP', ago(9));
      await send(reply('START', ago(8)));
      await send(stop);
      expect(await isStopped()).toBe(false);
    });

    it('a START from before the stored history is ignored', async () => {
      const { reply } = await open(adapter);
      await send(reply('STOP', ago(8)));
      await database.query('delete from received_reports');
      // MessageBird’s own signature ends before.
      await post(reply('START', ago(401 * 24 * 3_600)));
      expect(await isStopped()).toBe(true);
    });
  });

  async function delivery(of: { channel: string; channelId: string; providerId: string | null; recipient?: string }) {
    const [jobId, id] = [randomUUID(), randomUUID()];
    await database.query(
      `insert into jobs (id, workspace_id, name, type, status, scheduled_for, run_at)
       values ($1, $2, 'Rent', 'test_reminder', 'completed', '2026-03-02T08:00:00Z', '2026-03-02T08:00:00Z')`,
      [jobId, workspace],
    );
    await database.query(
      `insert into deliveries (id, workspace_id, job_id, scheduled_for, channel, recipient, status, provider_id, channel_id, attempts)
       values ($1, $2, $3, '2026-03-02T08:00:00Z', $4, $5, 'accepted', $6, $7, 1)`,
      [id, workspace, jobId, of.channel, of.recipient ?? ann, of.providerId, of.channelId],
    );
    return { id, jobId };
  }

  /** A person has tried it again. */
  const retried = (id: string, { status, providerId }: { status: string; providerId: string | null }) =>
    database.query(
      `update deliveries set status = $2, provider_id = $3, attempts = 2, reason = null, attempt_history = '[]' where id = $1`,
      [id, status, providerId],
    );

  const statusOf = async (id: string) =>
    (await database.query('select status from deliveries where id = $1', [id])).rows[0].status;

  it('a failure does not affect the next attempt, whose answer was lost', async () => {
    const channel = await create('sms', {
      provider: 'twilio',
      api_key: 'AC1',
      api_secret: 't0ken',
      from_number: '+1500',
    });
    const { id } = await delivery({ channel: 'sms', channelId: channel.id, providerId: 'SM1' });
    const url = `${channel.callback_url}?delivery=${id}`;
    const body = new URLSearchParams({ MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30003' });
    const fail = () =>
      fetch(url, {
        method: 'POST',
        body,
        headers: { 'x-twilio-signature': twilioSignature('t0ken', { url, parameters: body }) },
      });
    await fail();
    expect(await statusOf(id)).toBe('failed');
    await retried(id, { status: 'unknown', providerId: null });
    expect((await fail()).status).toBe(200);
    expect(await statusOf(id)).toBe('unknown');
  });

  it('a repeated bounce does not affect the next attempt or suppress the recipient again; a new bounce does', async () => {
    const channel = await create('email', {
      smtp_host: '127.0.0.1',
      smtp_port: 2525,
      username: 'office@elm.example',
      use_tls: false,
    });
    const recipient = 'ann@example.com';
    const { id, jobId } = await delivery({ channel: 'email', channelId: channel.id, providerId: null, recipient });
    const bounce = fromPostfix(
      { action: 'failed', status: '5.1.1', diagnostic: '550 5.1.1 User unknown' },
      { envelopeId: mailNameOf({ deliveryId: id, jobId }), returned: [] },
    );
    const bring = (mail: string) =>
      fetch(channel.callback_url, { method: 'POST', headers: { 'content-type': 'message/rfc822' }, body: mail });
    const suppressed = async () =>
      (await database.query('select recipient from suppressions where workspace_id = $1', [workspace])).rows;
    await bring(bounce);
    expect([await statusOf(id), await suppressed()]).toEqual(['failed', [{ recipient }]]);
    await database.query('delete from suppressions where workspace_id = $1', [workspace]);
    await retried(id, { status: 'accepted', providerId: null });
    await bring(bounce);
    await bring(`Received: by another.example; Sun, 22 Nov 2026 08:00:00 +0000\r\n${bounce}`);
    expect([await statusOf(id), await suppressed()]).toEqual(['accepted', []]);
    await bring(`Message-ID: <another@mx.example>\r\n${bounce.replace(/^message-id:.*\r?\n/im, '')}`);
    expect([await statusOf(id), await suppressed()]).toEqual(['failed', [{ recipient }]]);
  });

  it('is deleted after more than 400 days, and not before', async () => {
    const { reply } = await open(listening[0]![1]);
    await send(reply('STOP'));
    const count = async () => (await database.query('select from received_reports')).rowCount;
    const all = await count();
    await database.query(`update received_reports set received_at = now() - interval '399 days'`);
    await database.query(`select delete_expired('received_reports', now(), 100)`);
    expect(await count()).toBe(all);
    await database.query(`update received_reports set received_at = now() - interval '401 days'`);
    await database.query(`select delete_expired('received_reports', now(), 100)`);
    expect((await database.query('select from received_reports')).rowCount).toBe(0);
    await send(reply('STOP'));
    await database.query(`select delete_expired('received_reports', now(), 100)`);
    expect((await database.query('select from received_reports')).rowCount).toBe(1);
  });
});
