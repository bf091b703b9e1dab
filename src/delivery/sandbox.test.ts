import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Envelope, Network } from '#delivery/adapter.ts';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import { adapter as smtp } from '#delivery/email/smtp.adapter.ts';
import { adapter as webhook } from '#delivery/webhook/http.adapter.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import type { SandboxMessage } from '#sandbox/intake.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';

const workspaceId = '019a9d3e-0000-7000-8000-000000000002';
const now = () => Temporal.Instant.from('2026-11-20T08:00:00Z');

let stored: SandboxMessage[];
let refuse: (message: SandboxMessage) => boolean;
let sandbox: Sandbox;
let network: Network;

beforeEach(async () => {
  [stored, refuse] = [[], () => false];
  sandbox = await startSandbox({
    secret: 'a secret',
    now,
    store: async (messages) => {
      await new Promise(setImmediate);
      if (messages.some(refuse)) throw new Error('no such workspace');
      stored.push(...messages);
    },
  });
  const guard = createEgressGuard({ allow: [], exact: () => [sandbox.smtp, sandbox.http] });
  network = { http: createOutboundHttp({ guard }), smtp: createSmtpPools({ guard }), now };
});

afterEach(async () => {
  network.smtp.close();
  await network.http.close();
  await sandbox.stop();
});

const envelope: Envelope = {
  delivery_id: '019a9d3e-0000-7000-8000-000000000001',
  workspace_id: workspaceId,
  job_id: '019a9d3e-0000-7000-8000-000000000003',
  reminder_id: null,
  name: 'Rent',
  scheduled_for: '2026-11-20T08:00:00Z',
  attempt: 1,
  channel: 'email',
  recipient: 'ann@example.com',
  recipient_name: 'Ann',
  subject: 'Rent is due',
  message: 'Dear Änn,\npay',
  is_test: false,
};

describe('the sandbox', () => {
  it('keeps a workspace’s mail', async () => {
    const config = smtp.shape.parse(sandbox.smtpConfigFor(workspaceId));
    const outcome = await smtp.send(envelope, { config, network });
    expect(outcome).toEqual({ outcome: 'accepted', receipt: 'S1', answer: '250 OK: queued as S1' });
    expect(stored).toMatchObject([
      {
        workspace_id: workspaceId,
        channel: 'email',
        sender: 'reminders@cuebird.test',
        recipient: 'ann@example.com',
        subject: 'Rent is due',
        text: 'Dear Änn,\npay\n',
        html: expect.stringContaining('Dear Änn,<br>'),
        headers: {
          'auto-submitted': 'auto-generated',
          'message-id': '<AZqdPgAAcACAAAAAAAAAAQGanT4AAHAAgAAAAAAAAAM@cuebird.test>',
        },
        received_at: '2026-11-20T08:00:00Z',
      },
    ]);
    expect(stored[0]?.raw_size).toBeGreaterThan(500);
  });

  it('keeps names in headers readable (RFC 2047)', async () => {
    const config = { ...smtp.shape.parse(sandbox.smtpConfigFor(workspaceId)), from_name: 'Müller Häuser 🏠' };
    const named = { ...envelope, recipient_name: 'Änn', subject: 'Miete für März' };
    expect(await smtp.send(named, { config, network })).toHaveProperty('outcome', 'accepted');
    expect(stored).toMatchObject([
      {
        subject: 'Miete für März',
        headers: {
          from: 'Müller Häuser 🏠 <reminders@cuebird.test>',
          to: 'Änn <ann@example.com>',
          subject: 'Miete für März',
        },
      },
    ]);
  });

  it('keeps account mail apart from every workspace', async () => {
    const config = smtp.shape.parse(sandbox.smtpConfigFor('account'));
    expect(await smtp.send(envelope, { config, network })).toHaveProperty('outcome', 'accepted');
    expect(stored).toMatchObject([{ workspace_id: null, recipient: 'ann@example.com' }]);
  });

  it('accepts no mail under another workspace’s name, nor without a login', async () => {
    const other = { ...sandbox.smtpConfigFor(workspaceId), username: '019a9d3e-0000-7000-8000-00000000000f' };
    expect(await smtp.send(envelope, { config: smtp.shape.parse(other), network })).toMatchObject({
      outcome: 'failed',
      permanent: true,
      reason: expect.stringContaining('535 This user name and password do not belong to this sandbox'),
    });
    const anonymous = { ...other, password: '' };
    expect(await smtp.send(envelope, { config: smtp.shape.parse(anonymous), network })).toHaveProperty(
      'permanent',
      true,
    );
    expect(stored).toEqual([]);
  });

  it('refuses a mail that takes too long to read, while this process does other work, and keeps the next one', async () => {
    const config = sandbox.smtpConfigFor(workspaceId);
    const { smtp_host: host, smtp_port: port, username: user, password: pass } = config;
    const transport = createTransport({ host, port, auth: { user, pass } });
    const mail = { envelope: { from: 'a@elm.example', to: 'b@elm.example' } };
    const processor = process.threadCpuUsage();
    const slow = transport.sendMail({ ...mail, raw: '\n'.repeat(1_020 * 1024) });
    const next = transport.sendMail({ ...mail, raw: 'Subject: Next\n\nHello' });
    await expect(slow).rejects.toMatchObject({
      responseCode: 554,
      response: '554 The message cannot be read, or takes too long to read',
    });
    await next;
    const { user: userUs, system: systemUs } = process.threadCpuUsage(processor);
    // Sending and receiving it are in this thread, too.
    expect((userUs + systemUs) / 1_000).toBeLessThan(1_500);
    expect(stored).toMatchObject([{ subject: 'Next', text: 'Hello\n' }]);
  }, 20_000);

  it('keeps a workspace’s webhook', async () => {
    const config = webhook.shape.parse({ url: sandbox.webhookUrlFor(workspaceId), secret: 's' });
    const outcome = await webhook.send(envelope, { config, network });
    expect(outcome).toEqual({
      outcome: 'accepted',
      receipt: envelope.delivery_id,
      answer: 'HTTP 200: {"received":true}',
    });
    expect(stored).toMatchObject([
      {
        workspace_id: workspaceId,
        channel: 'webhook',
        sender: 'Cuebird',
        recipient: 'ann@example.com',
        subject: 'Rent is due',
        html: null,
        headers: { 'webhook-id': envelope.delivery_id, 'content-type': 'application/json' },
      },
    ]);
    expect(JSON.parse(stored[0]?.text ?? '')).toHaveProperty('data.message', envelope.message);
  });

  it('keeps a GET by its query', async () => {
    const config = webhook.shape.parse({ url: sandbox.webhookUrlFor(workspaceId), method: 'GET' });
    await webhook.send(envelope, { config, network });
    expect(stored).toMatchObject([{ subject: 'Rent is due', recipient: 'ann@example.com' }]);
    expect(stored[0]?.text).toContain('message: Dear Änn,\npay');
  });

  it('keeps any other call as it came, up to 64 KB', async () => {
    const url = `${sandbox.webhookUrlFor(workspaceId)}/orders/7?a=b`;
    const body = `a\0${'x'.repeat(100_000)}`;
    const response = await fetch(url, { method: 'PUT', body, headers: { 'X-Two': 'words' } });
    expect([response.status, await response.json()]).toEqual([200, { received: true }]);
    expect(stored).toMatchObject([{ subject: 'PUT orders/7', raw_size: 100_002, headers: { 'x-two': 'words' } }]);
    expect(stored[0]?.text).toBe(`a${'x'.repeat(64 * 1024 - 2)}`);
  });

  it('has no address but those it has issued', async () => {
    const other = sandbox.webhookUrlFor(workspaceId).replace(workspaceId, '019a9d3e-0000-7000-8000-00000000000f');
    for (const url of [other, `${sandbox.http.url}/`, `${sandbox.http.url}/hooks/${workspaceId}/x`]) {
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(404);
    }
    expect(stored).toEqual([]);
  });

  it('acknowledges nothing that could not be stored, and keeps what arrived beside it', async () => {
    refuse = ({ subject }) => subject === 'bad';
    const url = sandbox.webhookUrlFor(workspaceId);
    const subjects = ['good', 'bad', 'good', 'good', 'bad', 'good'];
    const statuses = await Promise.all(
      subjects.map(async (subject) => (await fetch(`${url}?subject=${subject}`)).status),
    );
    expect(statuses).toEqual([200, 503, 200, 200, 503, 200]);
    expect(stored.map(({ subject }) => subject)).toEqual(['good', 'good', 'good', 'good']);
    const config = smtp.shape.parse(sandbox.smtpConfigFor(workspaceId));
    expect(await smtp.send({ ...envelope, subject: 'bad' }, { config, network })).toEqual({
      outcome: 'failed',
      permanent: false,
      reason: '451 The message could not be stored',
    });
  });

  it('issues the same password and address after a restart, and others with another secret', async () => {
    const nothing = { store: async () => undefined, smtpPort: 0 };
    const again = await startSandbox({ ...nothing, secret: 'a secret' });
    const other = await startSandbox({ ...nothing, secret: 'another' });
    const passwords = [sandbox, again, other].map((one) => one.smtpConfigFor(workspaceId).password);
    const tokens = [sandbox, again, other].map((one) => one.webhookUrlFor(workspaceId).split('/').at(-1));
    await Promise.all([again.stop(), other.stop()]);
    expect(passwords[0]).toBe(passwords[1]);
    expect(tokens[0]).toBe(tokens[1]);
    expect(new Set([...passwords, ...tokens]).size).toBe(4);
  });

  it('names the port that is taken', async () => {
    const start = startSandbox({ secret: 's', store: async () => undefined, smtpPort: sandbox.smtp.port });
    await expect(start).rejects.toThrow('EADDRINUSE');
    const second = startSandbox({ secret: 's', store: async () => undefined, httpPort: sandbox.http.port });
    await expect(second).rejects.toThrow('EADDRINUSE');
  });

  it('speaks plain SMTP to any client', async () => {
    const { smtp_host, smtp_port, username, password } = sandbox.smtpConfigFor(workspaceId);
    const client = createTransport({ host: smtp_host, port: smtp_port, auth: { user: username, pass: password } });
    await client.sendMail({ from: 'a@b.test', to: ['c@d.test', 'e@f.test'], subject: 'Two', html: '<b>only HTML</b>' });
    expect(stored).toMatchObject([{ recipient: 'c@d.test, e@f.test', subject: 'Two', html: '<b>only HTML</b>\n' }]);
  });
});
