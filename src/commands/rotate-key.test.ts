import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { twilioSignature } from '#delivery/twilio/twilio.callback.ts';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { keyFingerprint, newEncryptionKey } from '#platform/encryption-keys.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { tablesOf } from '#commands/tables.ts';
import { authenticatorOf } from '#testing/authenticator.ts';
import { personWith, signUp, type TestPerson } from '#testing/cuebird.ts';
import { connectOwner } from '#testing/owner.ts';
import { createInstallation, type CuebirdProcess, type TestInstallation } from '#testing/process.ts';
import { runCommand } from '#testing/run-command.ts';

const keyInFile = { ENCRYPTION_KEY: '' };
const password = 'correct horse battery';
const twilio = { provider: 'twilio', api_key: 'AC1', api_secret: 't0ken', from_number: '+4915112345678' };

async function stop(process: CuebirdProcess) {
  process.signal('SIGTERM');
  expect((await process.ended).code).toBe(0);
}

/** One installation with its own database and a key file, from before its first rotation to after the end of the older key. */
describe('the rotation of the key in a file', { timeout: 180_000 }, () => {
  let here: TestInstallation;
  let running: CuebirdProcess;
  let url: string;
  let dana: TestPerson;
  let workspace: string;
  let reminder: string;
  let before: Awaited<ReturnType<typeof linksOf>>;
  let recoveryCodes: string[];
  let first: string;

  const keys = async () => (await readFile(join(here.dataDir, 'encryption.key'), 'utf8')).trim().split('\n');
  async function runProcess(...args: string[]) {
    const { code, stdout, stderr } = await here.start({ env: keyInFile, args }).ended;
    return { code, said: stdout.trim(), complained: stderr.trim() };
  }
  const run = (...line: string[]) => runCommand({ DATA_DIR: here.dataDir, ...keyInFile }, line);
  async function start() {
    running = here.start({ env: keyInFile });
    const { url: printed } = await running.ready;
    // The port is another one with each start; addresses are compared by their paths.
    url = printed;
    dana = { ...dana, call: callAt() };
  }
  const callAt =
    (): TestPerson['call'] =>
    async (method, path, { workspace: of } = {}) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          cookie: dana.cookie,
          ...(of === undefined ? {} : { 'x-workspace-id': of }),
        },
      });
      return { status: response.status, headers: response.headers, json: await response.json() };
    };

  const pathOf = (address: string) => new URL(address).pathname;

  /** What others got from the installation. */
  async function linksOf() {
    const hook = await dana.call('GET', `/api/reminders/${reminder}/hook`, { workspace });
    const channels = await dana.call('GET', '/api/channels', { workspace });
    const [key] = await keys();
    return {
      hook: pathOf(hook.json.url),
      callback: pathOf(channels.json.data[0].callback_url),
      unsubscribe: `/unsubscribe/${createUnsubscribeTokens(createSecretBox(key ?? '')).seal({ stops: 'messages', workspaceId: workspace, channel: 'email', recipient: 'ann@example.com' })}`,
    };
  }

  /** The status that each link gets. */
  async function follow(links: typeof before) {
    const report = await fetch(`${url}${links.hook}`, { method: 'POST' });
    const address = `${url}${links.callback}`;
    const parameters = new URLSearchParams({ MessageSid: 'SM1', MessageStatus: 'delivered' });
    const headers = { 'x-twilio-signature': twilioSignature(twilio.api_secret, { url: address, parameters }) };
    const callback = await fetch(address, { method: 'POST', body: parameters, headers });
    const unsubscribe = await fetch(`${url}${links.unsubscribe}`);
    return { hook: report.status, callback: callback.status, unsubscribe: unsubscribe.status };
  }
  const allWork = { hook: 201, callback: 200, unsubscribe: 200 };

  /** The rows of the whole database in which a text of this key stands. */
  const sealedBy = (key: string) =>
    asOwner(async (owner) => {
      const [, id] = createSecretBox(key).seal('', { workspaceId: '', purpose: '' }).split('.');
      const found: string[] = [];
      for (const { name } of await tablesOf(owner)) {
        const { rowCount } = await owner.query(`select from ${name} t where t::text like $1`, [`%v1.${id}.%`]);
        if (rowCount !== 0) found.push(name);
      }
      return found;
    });

  /** On a connection of its own: the embedded server restarts with Cuebird. */
  async function asOwner<T>(work: (owner: Client) => Promise<T>): Promise<T> {
    const owner = await connectOwner(await here.databaseUrl());
    try {
      return await work(owner);
    } finally {
      await owner.end();
    }
  }

  const cookieOf = ({ headers }: Response) =>
    headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');

  async function signIn(code: { path: string; code: string }) {
    const post = (path: string, body: object, cookie = '') =>
      fetch(`${url}/api/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url, cookie },
        body: JSON.stringify(body),
      });
    const begun = await post('sign-in/email', { email: dana.email, password });
    const passed = await post(code.path, { code: code.code }, cookieOf(begun));
    dana = { ...dana, cookie: cookieOf(passed) || cookieOf(begun) };
    return passed.status;
  }

  beforeAll(async () => {
    here = await createInstallation();
    running = here.start({ env: keyInFile });
    ({ url } = await running.ready);
    dana = await signUp(url, { name: 'Dana', email: 'dana@example.com' });
    workspace = await dana.createWorkspace('Elm Street');
    const written = await dana.call('POST', '/api/reminders', {
      workspace,
      body: {
        name: 'Form was sent',
        schedule_config: {
          type: 'event-based',
          eventTrigger: 'custom_webhook',
          delayAmount: 1,
          delayUnit: 'hours',
          timezone: 'UTC',
        },
        content: { subject: 'Form', message: 'Sent', recipients: ['erin@example.com'] },
        metadata: { channels: ['email'] },
      },
    });
    expect(written.status).toBe(201);
    reminder = written.json.id;
    const channel = { name: 'Phone', type: 'sms', configuration: twilio };
    expect((await dana.call('POST', '/api/channels', { workspace, body: channel })).status).toBe(201);
    const enabled = await fetch(`${url}/api/auth/two-factor/enable`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie: dana.cookie },
      body: JSON.stringify({ password }),
    });
    const { totpURI, backupCodes }: { totpURI: string; backupCodes: string[] } = await enabled.json();
    recoveryCodes = backupCodes;
    const verified = await fetch(`${url}/api/auth/two-factor/verify-totp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie: dana.cookie },
      body: JSON.stringify({ code: authenticatorOf(totpURI).code() }),
    });
    expect(verified.status).toBe(200);
    dana = personWith(url, { ...dana, cookie: cookieOf(verified) });
    before = await linksOf();
    [first = ''] = await keys();
  });
  afterAll(async () => {
    await here.remove();
  });

  it('finds what is sealed, and every link works', async () => {
    expect(await sealedBy(first)).toEqual(['app_settings', 'channels']);
    expect(await follow(before)).toEqual(allWork);
  });

  it('changes nothing where the key file cannot be written', async () => {
    const draft = join(here.dataDir, 'encryption.key.new');
    await mkdir(join(draft, 'in the way'), { recursive: true });
    const { code, complained } = await run('rotate-key');
    expect([code, complained]).toEqual([
      1,
      expect.stringMatching(/encryption\.key cannot be written .*Nothing was changed/s),
    ]);
    expect(await keys()).toEqual([first]);
    await rm(draft, { recursive: true });
  });

  it('seals everything with a new key, says how much, and what still needs the older one', async () => {
    const { code, said, complained } = await runProcess('rotate-key');
    expect([code, complained]).toEqual([0, '']);
    expect(await keys()).toEqual([expect.stringMatching(/^[\w-]{43}$/), first]);
    // Two secrets of the channel and its call-back token, the push keys, the second factor's seed and codes.
    expect(said).toMatch(/^\d values sealed again\./m);
    expect(said).toContain(keyFingerprint(first));
    for (const line of [
      'unsubscribe links',
      "addresses of reminders' hooks",
      'call-back addresses',
      'sessions',
      'backups',
    ])
      expect(said).toMatch(new RegExp(`^ {2}${line}.*: `, 'm'));
    expect(said).toMatch(/\d+ connections of processes that have an older key only/);
    expect(await sealedBy(first)).toEqual([]);
  });

  it('the process that has the older key alone sends nothing any more, says so, and is not locked out', async () => {
    await running.line(/The encryption key was replaced/);
    const ready = await fetch(`${url}/api/ready`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('restart this process')]);
    expect((await dana.call('GET', '/api/workspaces')).status).toBe(200);
    expect((await fetch(`${url}${before.unsubscribe}`)).status).toBe(200);
  });

  it('after a restart every link from before works, and new ones are made with the newest key', async () => {
    await stop(running);
    await start();
    expect(await follow(before)).toEqual(allWork);
    const now = await linksOf();
    expect(Object.entries(now).filter(([name, link]) => before[name as 'hook'] === link)).toEqual([]);
    expect(await follow(now)).toEqual(allWork);
    expect((await dana.call('GET', '/api/workspaces', {})).status).toBe(200);
    const { cookie } = dana;
    expect(await signIn({ path: 'two-factor/verify-backup-code', code: recoveryCodes[0] ?? '' })).toBe(200);
    dana = { ...dana, cookie };
  });

  it('the next run finishes the rotation, and makes no further key', async () => {
    const { code, said } = await run('rotate-key');
    expect([code, said]).toEqual([0, expect.stringMatching(/^A rotation has begun already, and is continued\./)]);
    expect(said).not.toContain('connections');
    expect(await keys()).toHaveLength(2);
  });

  it('once the older key is removed, what it made ends at once, without a restart', async () => {
    const now = await linksOf();
    const { code, said } = await run('rotate-key', '--remove-older');
    expect([code, said]).toEqual([
      0,
      expect.stringContaining(`Removed: the key with the fingerprint ${keyFingerprint(first)}`),
    ]);
    expect(await keys()).toHaveLength(1);
    await running.line(/older encryption keys are revoked/);
    // Both threads of the process are told.
    await expect.poll(() => follow(before)).toEqual({ hook: 404, callback: 404, unsubscribe: 404 });
    expect(await follow(now)).toEqual(allWork);
    expect((await dana.call('GET', '/api/workspaces', {})).status).toBe(401);
    expect(await signIn({ path: 'two-factor/verify-backup-code', code: recoveryCodes[1] ?? '' })).toBe(200);
    const logins = await asOwner(
      async (owner) => (await owner.query("select from pg_roles where rolname ~ '^cuebird_.+_'")).rowCount,
    );
    expect(logins).toBe(3);
  });

  it('after a leak everything of the older key ends with the command, and its processes are cut off', async () => {
    const [leaked = ''] = await keys();
    const leaking = await linksOf();
    const { code, said } = await run('rotate-key', '--revoke');
    expect([code, said]).toEqual([
      0,
      expect.stringContaining(`Revoked: the key with the fingerprint ${keyFingerprint(leaked)}`),
    ]);
    expect((await run('rotate-key', '--remove-older')).complained).toMatch(/^There is no older key/);
    expect(said).toMatch(/No longer valid:\n {2}unsubscribe links/);
    expect(await keys()).toEqual([expect.not.stringMatching(leaked)]);
    await expect.poll(async () => (await fetch(`${url}/api/ready`)).status).toBe(503);
    running.signal('SIGKILL');
    await running.ended;
    const { code: failed, stderr } = await here.start({ env: { ENCRYPTION_KEY: first } }).ended;
    expect([failed, stderr]).toEqual([1, expect.stringContaining('was replaced by another one')]);
    await start();
    expect(await follow(leaking)).toEqual({ hook: 404, callback: 404, unsubscribe: 404 });
    expect(await sealedBy(leaked)).toEqual([]);
    expect(await signIn({ path: 'two-factor/verify-backup-code', code: recoveryCodes[2] ?? '' })).toBe(200);
    await stop(running);
  });

  it('takes a key from a file', async () => {
    const file = join(here.dataDir, 'given');
    const given = newEncryptionKey();
    await writeFile(file, 'short\n');
    expect((await run('rotate-key', '--key-file', file)).complained).toMatch(
      /must hold one key of at least 32 characters/,
    );
    await writeFile(file, `${given}\n`);
    expect(await run('rotate-key', '--key-file', file)).toMatchObject({ code: 0, complained: '' });
    expect((await keys())[0]).toBe(given);
  });
});
