import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifySignature } from '#features/events/hook-signature.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

type Call = { headers: IncomingHttpHeaders; body: Buffer };

describe('the signing secret of a workspace', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let receivers: Server[];
  /** Of two origins. */
  let url: string;
  let elsewhere: string;
  let calls: Call[] = [];
  beforeAll(async () => {
    receivers = [receive(), receive()];
    await Promise.all(receivers.map((receiver) => once(receiver, 'listening')));
    [url = '', elsewhere = ''] = receivers.map(
      (receiver) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    );
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    calls = [];
  });
  afterAll(async () => {
    for (const receiver of receivers) receiver.close().closeAllConnections();
    await cuebird.stop();
  });

  const receive = () =>
    createServer((request, response) => {
      void buffer(request).then((body) => {
        calls.push({ headers: request.headers, body });
        response.end('thanks');
      });
    }).listen(0, '127.0.0.1');

  const ask = (path = '/api/signing-secret', as = dana) => as.call('POST', path, { workspace });
  const rotate = () => ask('/api/signing-secret/rotate');

  /** Sends a webhook to a URL, and returns the call once it has arrived. */
  async function send(to = url): Promise<Call> {
    const template = await dana.call('POST', '/api/templates', {
      workspace,
      body: { name: 'Rent', content: { type: 'webhook', subject: 'Rent', body: 'Rent is due' } },
    });
    const sent = await dana.call('POST', '/api/notifications/send', {
      workspace,
      body: { template_id: template.json.id, recipient: to },
    });
    const job = await dana.call('GET', `/api/jobs/${sent.json.job_id}?wait=30`, { workspace });
    expect(job.json).toMatchObject({ status: 'completed', outcomes: [{ status: 'accepted' }] });
    const call = calls.at(-1);
    if (call === undefined) throw new Error('Nothing has arrived');
    return call;
  }

  /** As a receiver checks it. */
  const isSignedWith = ({ headers, body }: Call, secret: string) =>
    'key' in
    verifySignature({
      headers: new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])),
      body,
      secret,
      now: Temporal.Now.instant(),
    });

  const createChannel = (configuration: Record<string, unknown>) =>
    dana.call('POST', '/api/channels', { workspace, body: { name: 'Orders', type: 'webhook', configuration } });

  it('signs nothing before somebody has asked for it, and every webhook to a plain URL from then on', async () => {
    expect((await send()).headers).not.toHaveProperty('webhook-signature');
    const { status, json } = await ask();
    expect([status, json]).toEqual([
      200,
      {
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        changed_at: expect.any(String),
        previous_ends_at: null,
      },
    ]);
    const call = await send();
    expect([isSignedWith(call, json.secret), isSignedWith(call, `${json.secret.slice(0, -3)}AA=`)]).toEqual([
      true,
      false,
    ]);
    expect((await ask()).json, 'and stays the same').toEqual(json);
  });

  it('signs with the new and the old one for a day after it was replaced', async () => {
    const first = (await ask()).json.secret;
    const replaced = await rotate();
    const left = Date.parse(replaced.json.previous_ends_at) - Date.now();
    expect([Math.round(left / 3_600_000), replaced.json.secret === first]).toEqual([24, false]);
    const both = await send();
    expect(both.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    expect([isSignedWith(both, first), isSignedWith(both, replaced.json.secret)]).toEqual([true, true]);
    await cuebird.owner.query(
      "update signing_secrets set previous_ends_at = now() - interval '1 second' where workspace_id = $1",
      [workspace],
    );
    const later = await send();
    expect([isSignedWith(later, first), isSignedWith(later, replaced.json.secret)]).toEqual([false, true]);
    expect((await ask()).json.previous_ends_at).toBeNull();
  });

  it('signs with two at most, however often it is replaced', async () => {
    const first = (await ask()).json.secret;
    const second = (await rotate()).json.secret;
    const third = (await rotate()).json.secret;
    const call = await send();
    expect([first, second, third].map((secret) => isSignedWith(call, secret))).toEqual([false, true, true]);
  });

  it('gives way to the secret of a channel, where that may be sent', async () => {
    const { secret } = (await ask()).json;
    const own = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    await createChannel({ url, secret: own });
    const trusted = await send();
    expect([isSignedWith(trusted, own), isSignedWith(trusted, secret)]).toEqual([true, false]);
    const untrusted = await send(elsewhere);
    expect([isSignedWith(untrusted, own), isSignedWith(untrusted, secret)]).toEqual([false, true]);
  });

  it('signs the test of a channel without a secret', async () => {
    const { secret } = (await ask()).json;
    const channel = await createChannel({ url });
    const tested = await dana.call('POST', `/api/channels/${channel.json.id}/test`, { workspace, body: {} });
    expect(tested.json.success).toBe(true);
    expect(isSignedWith(calls.at(-1)!, secret)).toBe(true);
  });

  it('is shown to nobody who is no admin, and to no program', async () => {
    const kim = await cuebird.signUp('Kim');
    await addMember(cuebird.owner, { workspace, userId: kim.userId, role: 'member' });
    const key = await dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'K', scopes: ['manage', 'read'] },
    });
    const byKey = await fetch(`${cuebird.url}/api/signing-secret`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.json.key}` },
    });
    expect([(await ask('/api/signing-secret', kim)).status, byKey.status]).toEqual([403, 403]);
    expect((await rotate()).json.error.message).toBe('The workspace has no signing secret yet. Show it to make one.');
  });

  it('is stored sealed, and each look is in the audit log', async () => {
    const { secret } = (await ask()).json;
    await rotate();
    await ask();
    const { rows } = await cuebird.owner.query('select * from signing_secrets where workspace_id = $1', [workspace]);
    expect(JSON.stringify(rows)).not.toContain('whsec_');
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
    const acts = await dana.call('GET', '/api/audit-log?kind=workspace', { workspace });
    expect(acts.json.data.map(({ text }: { text: string }) => text)).toEqual(
      expect.arrayContaining([
        'Made the secret that signs webhooks',
        'Replaced the secret that signs webhooks',
        'Looked at the secret that signs webhooks',
      ]),
    );
  });

  it('is made anew where the key that sealed it is lost', async () => {
    const first = (await ask()).json.secret;
    await cuebird.owner.query(
      `update signing_secrets set sealed_secret = regexp_replace(sealed_secret, '^v1\\.[0-9a-f]{8}', 'v1.00000000') where workspace_id = $1`,
      [workspace],
    );
    expect((await send()).headers).not.toHaveProperty('webhook-signature');
    const { secret } = (await ask()).json;
    expect(secret).not.toBe(first);
    expect(isSignedWith(await send(), secret)).toBe(true);
  });
});
