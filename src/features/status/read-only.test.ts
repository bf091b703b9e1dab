import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import type { Status } from '#contract/status.ts';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';
import { createTestDatabase } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { sampleTemplate } from '#testing/samples.ts';

type Person = Awaited<ReturnType<TestCuebird['signUp']>>;
const token = 'the-token-of-the-metrics';

describe('while the database accepts no changes', () => {
  let cuebird: TestCuebird;
  let ann: Person;
  let workspace: string;
  let admin: Client;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ database: await createTestDatabase(), env: { METRICS_TOKEN: token } });
    ann = await cuebird.signUp('Ann');
    workspace = await ann.createWorkspace('Elm Street');
    const maintenance = new URL(cuebird.databaseUrl);
    maintenance.pathname = '/postgres';
    admin = await connectOwner(maintenance.href);
  });
  afterEach(() => works());
  afterAll(async () => {
    await admin.end();
    await cuebird.stop();
  });

  const get = async (path: string) => {
    const response = await fetch(`${cuebird.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') };
  };
  const save = () => ann.call('POST', '/api/contacts', { workspace, body: { name: 'Bert' } });
  const troubles = async () => {
    const { components }: Status = JSON.parse((await get('/api/status')).text);
    return components.map(({ component, state, trouble }) => `${component} ${state}: ${trouble}`);
  };

  /** For connections that are made from now on; all are made anew. */
  const isReadOnly = (value: 'on' | 'off') => set('default_transaction_read_only', value);

  async function set(setting: string, value: string) {
    const name = new URL(cuebird.databaseUrl).pathname.slice(1);
    await admin.query(`alter database ${name} set ${setting} = ${value}`);
    await admin.query(
      'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1 and usename <> current_user',
      [name],
    );
  }

  /** Every write to these tables fails as on a full disk. */
  async function isFull() {
    await cuebird.owner.query(`
      create function is_full() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file "base/1": No space left on device' using errcode = '53100'; end $$;
      create trigger is_full before insert or update on process_figures execute function is_full();
      create trigger is_full before insert on contacts execute function is_full()`);
  }

  /** What has room in a page goes on, such as the sign of life; what needs another one fails. */
  async function isNearlyFull() {
    await cuebird.owner.query(`
      create function is_full() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file "base/1": No space left on device' using errcode = '53100'; end $$;
      create trigger is_full before insert on contacts execute function is_full();
      create trigger is_full before update on jobs for each row when (new.status = 'completed') execute function is_full()`);
  }

  async function works() {
    await set('temp_file_limit', 'default');
    await isReadOnly('off');
    await cuebird.owner.query('drop function if exists is_full cascade');
    await expect.poll(async () => (await get('/api/ready')).status).toBe(200);
  }

  it('as on a standby, what changes something is answered with 503 and when to try again, and people can look', async () => {
    await isReadOnly('on');
    await expect.poll(async () => (await save()).json.error?.message).toContain('accepts no changes');
    const { status, headers, json } = await save();
    expect([status, headers.get('retry-after'), json.error.code]).toEqual([503, '60', 'unavailable']);
    expect((await ann.call('GET', '/api/contacts', { workspace })).status).toBe(200);
    const ready = await get('/api/ready');
    expect([ready.status, ready.retryAfter, JSON.parse(ready.text).error.message]).toEqual([
      503,
      '15',
      'The database accepts no changes at the moment. Try again in a minute.',
    ]);
    expect(await troubles()).toEqual([
      'web degraded: read_only',
      'deliveries down: read_only',
      'database degraded: read_only',
    ]);
  });

  it('people can look for as long as it lasts: their sessions are renewed once it accepts changes again', async () => {
    const look = async () => (await ann.call('GET', '/api/contacts', { workspace })).status;
    await cuebird.owner.query("update auth_sessions set updated_at = updated_at - interval '11 minutes'");
    await isReadOnly('on');
    await expect.poll(async () => (await save()).json.error?.message).toContain('accepts no changes');
    expect(await look()).toBe(200);
    await isReadOnly('off');
    await cuebird.owner.query(`
      create function is_full() returns trigger language plpgsql as $$
        begin raise exception 'No space left on device' using errcode = '53100'; end $$;
      create trigger is_full before update on auth_sessions execute function is_full()`);
    expect(await look()).toBe(200);
    await cuebird.owner.query('drop function is_full cascade');
    const isRenewed = async () => {
      // The cached session ends with each announcement.
      await cuebird.owner.query("select pg_notify('cuebird_access', json_build_object('person', $1::text)::text)", [
        ann.userId,
      ]);
      await look();
      return (await cuebird.owner.query("select from auth_sessions where updated_at > now() - interval '10 minutes'"))
        .rowCount;
    };
    await expect.poll(isRenewed).toBe(1);
  });

  it('programs can read for as long as it lasts, by their keys, and what they change is refused', async () => {
    const { json } = await ann.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'CRM', scopes: ['read', 'manage'] },
    });
    const program = async (method: string, body?: object) => {
      const headers = { authorization: `Bearer ${json.key}`, 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await fetch(`${cuebird.url}/api/contacts`, { method, headers, ...sent })).status;
    };
    expect(await program('GET')).toBe(200);
    await isReadOnly('on');
    await expect.poll(async () => (await save()).json.error?.message).toContain('accepts no changes');
    expect([await program('GET'), await program('POST', { name: 'Bert' })]).toEqual([200, 503]);
    await isReadOnly('off');
    await cuebird.owner.query(`
      create function is_full() returns trigger language plpgsql as $$
        begin raise exception 'No space left on device' using errcode = '53100'; end $$;
      create trigger is_full before insert or update on request_counts execute function is_full();
      create trigger is_full before insert on contacts execute function is_full()`);
    expect([await program('GET'), await program('POST', { name: 'Bert' })]).toEqual([200, 503]);
  });

  it('because its disk is full, readiness, status and every request say so', async () => {
    await isFull();
    const full = 'The database has no space left, so that nothing can be saved.';
    const { status, headers, json } = await save();
    expect([status, headers.get('retry-after')]).toEqual([503, '60']);
    expect(json.error.message).toContain(full);
    // The figures are written before they are read; they are answered all the same.
    const metrics = await get('/api/metrics');
    expect(metrics.status).toBe(200);
    expect(metrics.text).toContain('cuebird_http_request_duration_seconds_count');
    const ready = await get('/api/ready');
    expect([ready.status, JSON.parse(ready.text).error.message]).toEqual([503, expect.stringContaining(full)]);
  });

  it('because outcomes cannot be recorded, readiness says so until one is, although signs of life are written', async () => {
    const template = await ann.call('POST', '/api/templates', { workspace, body: sampleTemplate });
    await isNearlyFull();
    await ann.call('POST', '/api/notifications/send', {
      workspace,
      body: { template_id: template.json.id, recipient: 'tess@example.com', variables: { amount: 950 } },
    });
    await expect.poll(async () => (await get('/api/ready')).status, { interval: 20 }).toBe(503);
    expect(JSON.parse((await get('/api/ready')).text).error.message).toContain('no space left');
    await cuebird.owner.query('drop function is_full cascade');
    await expect.poll(async () => (await get('/api/ready')).status, { interval: 20 }).toBe(200);
    const { rows } = await cuebird.owner.query<{ status: string }>('select status from jobs');
    expect(rows).toEqual([{ status: 'completed' }]);
  });

  it('because what is large finds no space, readiness says so from the first request that is refused', async () => {
    await set('temp_file_limit', "'64kB'");
    await isNearlyFull();
    await expect.poll(async () => (await save()).json.error?.message).toContain('no space left');
    expect((await get('/api/ready')).status).toBe(503);
    await set('temp_file_limit', 'default');
    await expect.poll(async () => (await get('/api/ready')).status, { interval: 20 }).toBe(200);
  });
});
