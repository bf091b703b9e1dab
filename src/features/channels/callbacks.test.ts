import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { twilioSignature } from '#delivery/twilio/twilio.callback.ts';
import { hubSignature } from '#delivery/whatsapp/whatsapp_business.callback.ts';
import { receiveCallback } from '#features/channels/callbacks.service.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { ann, type CallbackFixture, openCallbackFixture, twilio } from '#testing/callback-fixture.ts';
import { untilFound } from '#testing/changes.ts';
import type { TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { addMember } from '#testing/owner.ts';
import { createVirtualClock } from '#testing/virtual-clock.ts';

describe('a callback', () => {
  let fixture: CallbackFixture;
  let cuebird: CallbackFixture['cuebird'];
  let database: CallbackFixture['database'];
  let dana: CallbackFixture['dana'];
  let workspace: string;
  let channel: { id: string; callback_url: string };
  let create: CallbackFixture['create'];
  let ended: CallbackFixture['ended'];
  let post: CallbackFixture['post'];
  beforeAll(async () => {
    fixture = await openCallbackFixture();
    ({ cuebird, database, dana, create, ended, post } = fixture);
  });
  beforeEach(async () => {
    ({ workspace, channel } = await fixture.renew());
  });
  afterAll(() => fixture.close());

  async function ledger(jobId: string) {
    const { rows } = await database.query(
      'select status, reason, provider_id from deliveries where job_id = $1 order by recipient, id',
      [jobId],
    );
    return rows;
  }

  async function job(jobId: string) {
    const { rows } = await database.query('select status, error_message from jobs where id = $1', [jobId]);
    return rows[0];
  }

  const report = (status: string, { id = 'SM1', delivery = '', code = '' } = {}) =>
    post(channel.callback_url + (delivery && `?delivery=${delivery}`), {
      MessageSid: id,
      MessageStatus: status,
      ...(code && { ErrorCode: code }),
    });

  describe('about a message', () => {
    it('marks it as delivered once, even when repeated', async () => {
      const { jobId } = await ended('completed', [{ status: 'accepted', provider_id: 'SM1' }]);
      const first = await report('delivered');
      expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
      expect(await first.text()).toBe('<Response/>');
      const seen = () =>
        database.query('select status, completed_at, reason from deliveries where job_id = $1', [jobId]);
      const { rows } = await seen();
      expect(rows).toMatchObject([{ status: 'delivered', reason: null, completed_at: expect.any(String) }]);
      await report('delivered');
      expect((await seen()).rows).toEqual(rows);
      expect(await job(jobId)).toEqual({ status: 'completed', error_message: null });
    });

    it('marks it and its job as failed after acceptance', async () => {
      const { jobId } = await ended('completed', [
        { status: 'accepted', provider_id: 'SM1' },
        { status: 'delivered', provider_id: 'SM2', recipient: '+4917012345999' },
      ]);
      await report('undelivered', { code: '30003' });
      expect((await ledger(jobId))[0]).toMatchObject({
        status: 'failed',
        reason: 'Twilio 30003: the handset is unreachable',
      });
      expect(await job(jobId)).toEqual({
        status: 'failed',
        error_message: '1 of 2 failed: Twilio 30003: the handset is unreachable',
      });
    });

    it('keeps what the run of a job said before the report', async () => {
      const { jobId } = await ended('completed', [{ status: 'accepted', provider_id: 'SM1' }]);
      await database.query(
        `update jobs set started_at = scheduled_for, completed_at = scheduled_for + interval '1 second', run_outcome = 'accepted' where id = $1`,
        [jobId],
      );
      const run = async () => (await dana.call('GET', `/api/job-executions/${jobId}`, { workspace })).json;
      const before = await run();
      expect(before).toMatchObject({ status: 'completed', error_message: null, logs: { accepted: 1 } });
      await report('undelivered', { code: '30003' });
      expect((await job(jobId)).status).toBe('failed');
      expect(await run()).toEqual(before);
    });

    it('leaves the words and the code of a stop as they are, until the result is another one', async () => {
      const { jobId } = await ended('completed', [
        { status: 'accepted', provider_id: 'SM1' },
        { status: 'accepted', provider_id: 'SM2', recipient: '+4917012345999' },
        { status: 'skipped', recipient: '+4917012345888', reason: 'The reminder was edited' },
      ]);
      const stop = { error_message: 'The reminder was edited', reason_code: 'reminder_edited' };
      await database.query('update jobs set error_message = $2, reason_code = $3 where id = $1', [
        jobId,
        ...Object.values(stop),
      ]);
      const seen = async () => (await dana.call('GET', `/api/jobs/${jobId}`, { workspace })).json;
      await report('delivered');
      expect(await seen()).toMatchObject({ status: 'completed', ...stop });
      await report('undelivered', { id: 'SM2', code: '30003' });
      expect(await seen()).toMatchObject({
        status: 'failed',
        error_message: '1 of 3 failed: Twilio 30003: the handset is unreachable',
        reason_code: null,
      });
    });

    it('never reverts a final status', async () => {
      const { jobId } = await ended('failed', [
        { status: 'failed', provider_id: 'SM1', reason: 'as it was' },
        { status: 'delivered', provider_id: 'SM2', recipient: '+4917012345999' },
      ]);
      const before = await ledger(jobId);
      for (const [status, id] of [
        ['delivered', 'SM1'],
        ['undelivered', 'SM2'],
        ['sent', 'SM2'],
      ] as const)
        expect((await report(status, { id })).status).toBe(200);
      expect(await ledger(jobId)).toEqual(before);
      expect(await job(jobId)).toEqual({ status: 'failed', error_message: null });
    });

    it('sets the outcome when the answer was lost, by the delivery’s id', async () => {
      const { jobId, ids } = await ended('failed', [{ status: 'unknown', unknowns: 1 }]);
      await report('delivered', { id: 'SM9', delivery: ids[0] });
      expect(await ledger(jobId)).toEqual([{ status: 'delivered', reason: null, provider_id: 'SM9' }]);
      expect(await job(jobId)).toEqual({ status: 'completed', error_message: null });
    });

    it('prevents a second send of a delivered message', async () => {
      const { jobId, ids } = await ended('completed', [
        { status: 'waiting', unknowns: 1, recipient: '+4917012345111' },
        { status: 'waiting', unknowns: 0, recipient: '+4917012345222' },
      ]);
      await report('delivered', { id: 'SM8', delivery: ids[0] });
      await report('delivered', { id: 'SM9', delivery: ids[1] });
      // The second was refused, so that nothing can have arrived.
      expect((await ledger(jobId)).map(({ status }) => status)).toEqual(['delivered', 'waiting']);
    });

    it('about an earlier failed attempt does not affect a later one', async () => {
      const { jobId, ids } = await ended('completed', [{ status: 'accepted', provider_id: 'SM2' }]);
      await report('failed', { id: 'SM1', delivery: ids[0] });
      expect(await ledger(jobId)).toMatchObject([{ status: 'accepted', provider_id: 'SM2' }]);
    });

    it('changes nothing in another workspace', async () => {
      const other = await dana.createWorkspace('Oak Street');
      const theirs = await ended('completed', [{ status: 'accepted', provider_id: 'SM1' }], other);
      const ours = await ended('completed', [{ status: 'accepted', provider_id: 'SM1' }]);
      await report('delivered', { delivery: theirs.ids[0] });
      expect(await ledger(theirs.jobId)).toMatchObject([{ status: 'accepted' }]);
      expect(await ledger(ours.jobId)).toMatchObject([{ status: 'delivered' }]);
    });
  });

  describe('that arrives before the ledger entry', () => {
    const startAt = '2026-03-02T08:00:00Z';

    function receive() {
      const clock = createVirtualClock(startAt);
      const url = channel.callback_url;
      const body = new URLSearchParams({ MessageSid: 'SM1', MessageStatus: 'delivered' });
      const signature = twilioSignature(twilio.api_secret, { url, parameters: body });
      const request = new Request(url, { method: 'POST', body, headers: { 'x-twilio-signature': signature } });
      const answer = receiveCallback(
        {
          db: cuebird.database.app,
          secrets: createSecretBox(TEST_ENCRYPTION_KEY),
          clock,
          url: () => cuebird.url,
          defaults: () => null,
        },
        {
          provider: 'twilio',
          token: url.split('/').at(-1) ?? '',
          request,
          readBody: async () => Buffer.from(await request.arrayBuffer()),
        },
      );
      return { clock, answer };
    }

    it('waits for the entry', async () => {
      const { clock, answer } = receive();
      await clock.untilAsleep(1);
      const { jobId } = await ended('completed', [{ status: 'accepted', provider_id: 'SM1' }]);
      clock.advance({ milliseconds: 500 });
      expect((await answer).status).toBe(200);
      expect(await ledger(jobId)).toMatchObject([{ status: 'delivered' }]);
    });

    it('is accepted when it belongs to no known message', async () => {
      const { clock, answer } = receive();
      await clock.untilAsleep(1);
      clock.advance({ milliseconds: 500 });
      await clock.untilAsleep(1);
      clock.advance({ seconds: 2 });
      expect((await answer).status).toBe(200);
    });
  });

  describe('from an unverified sender', () => {
    const form = { MessageSid: 'SM1', MessageStatus: 'delivered' };

    it('is refused without the provider’s signature', async () => {
      const { jobId } = await ended('completed', [{ status: 'accepted', provider_id: 'SM1' }]);
      const refused = await post(channel.callback_url, form, 'another token');
      expect(refused.status).toBe(401);
      expect((await refused.json()).error.message).toBe('X-Twilio-Signature does not match this request');
      expect((await fetch(channel.callback_url, { method: 'POST', body: new URLSearchParams(form) })).status).toBe(401);
      expect(await ledger(jobId)).toMatchObject([{ status: 'accepted' }]);
    });

    it('answers 404 for an unknown URL', async () => {
      const url = channel.callback_url;
      const other = await create('webhook', { url: 'http://127.0.0.1:2/' });
      expect(other.callback_url).toBeNull();
      const flipped = url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A');
      for (const wrong of [flipped, url.replace('/twilio/', '/nexmo/'), `${url}x`, url.replace(/[^/]+$/, 'none')])
        expect((await post(wrong, form)).status).toBe(404);
      expect((await fetch(flipped)).status).toBe(404);
      await dana.call('DELETE', `/api/channels/${channel.id}`, { workspace });
      expect((await post(url, form)).status).toBe(404);
    });

    it('has a URL that only admins see', async () => {
      const member = await cuebird.signUp('Member');
      await addMember(database, { workspace, userId: member.userId, role: 'member' });
      const seen = async (as: TestPerson) => (await as.call('GET', '/api/channels', { workspace })).json.data[0];
      expect((await seen(dana)).callback_url).toBe(channel.callback_url);
      expect(await seen(member)).toMatchObject({ callback_url: null, secrets_set: ['api_secret'] });
    });

    it('has a URL that a configuration cannot set', async () => {
      const configuration = { ...twilio, callback_token: 'mine' };
      const { json } = await dana.call('PATCH', `/api/channels/${channel.id}`, { workspace, body: { configuration } });
      expect(json.configuration).not.toHaveProperty('callback_token');
      expect(json.callback_url).toBe(channel.callback_url);
    });
  });

  it('of Meta answers the URL verification, and its signature covers the raw bytes', async () => {
    const { callback_url: url } = await create('whatsapp', {
      provider: 'whatsapp_business',
      api_key: 'EAA',
      phone_number_id: '106',
      app_secret: 's3cret',
      verify_token: 'meaty hamhock of ours',
    });
    const ask = (token: string) =>
      fetch(
        `${url}?${new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.challenge': '42', 'hub.verify_token': token })}`,
      );
    const asked = await ask('meaty hamhock of ours');
    expect([asked.status, asked.headers.get('content-type'), await asked.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      '42',
    ]);
    expect((await ask('another')).status).toBe(401);

    const body = JSON.stringify({
      entry: [{ changes: [{ value: { messages: [{ from: '4917012345678', text: { body: 'STOP' } }] } }] }],
    });
    const send = (signature: string) =>
      fetch(url, { method: 'POST', body, headers: { 'x-hub-signature-256': signature } });
    expect((await send('sha256=00')).status).toBe(401);
    expect((await send(hubSignature('s3cret', Buffer.from(body)))).status).toBe(200);
    const { rows } = await database.query('select channel, recipient from suppressions where workspace_id = $1', [
      workspace,
    ]);
    expect(rows).toEqual([{ channel: 'whatsapp', recipient: ann }]);
  });

  it.each(['sms', 'whatsapp'])('of the sandbox reports the delivery of a message by %s, and its STOP', async (by) => {
    const own = await dana.createWorkspace('Oak Street');
    const content = { subject: 'Rent is due', message: 'Pay, please', recipients: [ann] };
    const { json: reminder } = await dana.call('POST', '/api/reminders', {
      workspace: own,
      body: {
        name: 'Rent',
        status: 'draft',
        schedule_config: { type: 'scheduled', scheduleType: 'daily', timezone: 'UTC' },
        content,
        metadata: { channels: [by] },
      },
    });
    const send = async () => {
      const { json } = await dana.call('POST', `/api/reminders/${reminder.id}/test`, {
        workspace: own,
        body: content,
      });
      return json.job_id;
    };
    const endOf = (jobId: string, statuses: readonly string[]) =>
      untilFound(cuebird.databaseUrl, async () => {
        const { json } = await dana.call('GET', `/api/jobs/${jobId}/deliveries`, { workspace: own });
        const [delivery] = json.data;
        return statuses.includes(delivery?.status) ? delivery : null;
      });

    expect(await endOf(await send(), ['delivered', 'failed'])).toMatchObject({ status: 'delivered', reason: null });
    const { json: inbox } = await dana.call('GET', '/api/inbox', { workspace: own });
    await dana.call('POST', `/api/inbox/${inbox.data[0].id}/replies`, { workspace: own, body: { text: 'STOP' } });
    expect(await endOf(await send(), ['skipped', 'delivered', 'failed'])).toMatchObject({
      status: 'skipped',
      reason: 'The recipient is on the suppression list',
    });
  });
});
