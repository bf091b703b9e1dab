import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getReadiness } from '#features/installation/installation.service.ts';
import { openDatabase } from '#platform/database.ts';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { version } from '#version.ts';

describe('an installation', () => {
  let cuebird: TestCuebird;
  beforeAll(async () => {
    cuebird = await startTestCuebird({
      env: {
        SANDBOX: 'off',
        GOOGLE_CLIENT_ID: 'the id',
        GOOGLE_CLIENT_SECRET: 'the secret',
        EMAIL_VERIFICATION: 'on',
        SUPPORT_EMAIL: 'help@example.com',
      },
    });
  });
  afterAll(() => cuebird.stop());

  const get = async (path: string) => {
    const response = await fetch(`${cuebird.url}${path}`);
    return { status: response.status, json: await response.json() };
  };

  it('shows its features, and none of its secrets', async () => {
    const { json } = await get('/api/config');
    expect(json).toEqual({
      google: true,
      sandbox: false,
      email_verification: true,
      account_mail: false,
      min_password_length: 6,
      billing: 'off',
      demo: false,
      support_email: 'help@example.com',
      support_phone: null,
      version,
    });
  });

  it('without a sandbox has no inbox, no demo and no links to them', async () => {
    expect(cuebird.links).toMatchObject({ demo: null, inbox: null, accountMail: null });
    const inbox = await get('/api/inbox/account?token=x');
    expect(inbox.status).toBe(404);
    expect(inbox.json.error.message).toBe('There is no such sandbox on this installation');
    expect((await get('/api/demo/enter?token=x')).status).toBe(404);
  });

  it('is ready with a wrong clock, and says by how much', async () => {
    const database = openDatabase(cuebird.databaseUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
    const ports = {
      database,
      superseded: new AbortController().signal,
      deliveryPauseNotice: async () => null,
      writeFailure: async () => null,
    };
    const readyAt = (offsetMs: number) => getReadiness({ ...ports, clockOffsetMs: () => offsetMs });
    expect(await readyAt(-3_600_000)).toEqual({ status: 'ready', clock_offset_seconds: -3_600 });
    expect(await readyAt(1_999)).toEqual({ status: 'ready' });
    await database.close();
  });

  it('is alive while its database is down, and ready again when it returns', async () => {
    const name = new URL(cuebird.databaseUrl).pathname.slice(1);
    const maintenance = new URL(cuebird.databaseUrl);
    maintenance.pathname = '/postgres';
    const admin = await connectOwner(maintenance.href);
    expect(await get('/api/ready')).toEqual({ status: 200, json: { status: 'ready' } });

    await admin.query(`alter database ${name} allow_connections false`);
    // Waits for each to end.
    await admin.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [name]);
    const away = await get('/api/ready');
    expect({ status: away.status, code: away.json.error.code, message: away.json.error.message }).toEqual({
      status: 503,
      code: 'unavailable',
      message: 'The database does not answer',
    });
    expect(await get('/api/health')).toEqual({ status: 200, json: { status: 'ok' } });

    await admin.query(`alter database ${name} allow_connections true`);
    // Connections that died unnoticed answer once more that they are gone.
    await expect.poll(async () => (await get('/api/ready')).status).toBe(200);
    await admin.end();
  });
});
