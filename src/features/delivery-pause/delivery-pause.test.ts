import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '#platform/config.ts';
import { type Cuebird, startCuebird } from '#cuebird.ts';
import { startDeliveries } from '#wiring/deliveries.ts';
import { untilFound } from '#testing/changes.ts';
import { signUp, type TestPerson } from '#testing/cuebird.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

describe('an installation on a restored database', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: Client;
  let cuebird: Cuebird;
  let said = '';
  let dana: TestPerson;
  let administrator: TestPerson;
  let workspace: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = await connectOwner(database.url);
    await owner.query("insert into app_settings (key, value) values ('engine.delivery_pause', $1)", [
      { state: 'paused', since: '2026-11-02T08:00:00Z', reason: 'restored', backup_of: '2026-11-01T03:00:00Z' },
    ]);
    const env = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      SANDBOX: 'on',
      DEMO: 'off',
      PORT: '0',
      LOG_LEVEL: 'silent',
    };
    cuebird = await startCuebird(parseConfig(env, []), {
      say: (text) => (said += `${text}\n`),
      startDeliveries,
      hasLimits: false,
    });
    dana = await signUp(cuebird.url, { name: 'Dana', email: 'dana@example.com' });
    administrator = await signUp(cuebird.url, { name: 'Ann', email: 'ann@example.com' });
    await owner.query("update profiles set is_system_admin = true where email = 'ann@example.com'");
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(async () => {
    await owner.end();
    await cuebird.stop();
    await database.drop();
  });

  const ready = async () => (await fetch(`${cuebird.url}/api/ready`)).json();
  const notice = { since: '2026-11-02T08:00:00Z', reason: 'restored', backup_of: '2026-11-01T03:00:00Z' };

  it('prints that delivery is paused, why, and how to resume it', () => {
    expect(said).toContain(
      'Deliveries are paused: this database was restored from a backup of 2026-11-01 03:00 UTC. Nothing is sent until you resume deliveries.',
    );
    expect(said).toContain('npm start -- resume');
  });

  it('serves requests, shows the pause, and keeps due occurrences', async () => {
    expect(await ready()).toEqual({ status: 'paused', ...notice });
    const reminder = {
      name: 'Rent',
      status: 'active',
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'once',
        startDate: new Date().toISOString().slice(0, 19),
        timezone: 'UTC',
      },
      content: { subject: 'Rent is due', message: 'Today', recipients: ['erin@example.com', 'finn@example.com'] },
      metadata: { channels: ['email'] },
    };
    expect((await dana.call('POST', '/api/reminders', { workspace, body: reminder })).status).toBe(201);
    const answer = await administrator.call('GET', '/api/admin/delivery-pause');
    expect(answer.json).toMatchObject({
      state: 'paused',
      ...notice,
      due: 1,
      later: 0,
      workspaces: [{ workspace_id: workspace, name: 'Elm Street', due: 1, later: 0 }],
      first: [{ workspace: 'Elm Street', name: 'Rent', recipients: 2, refusal: null }],
      after_fail_over: 'pauses',
    });
  });

  it('is resumed only by a system administrator', async () => {
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', { overdue: 'by_rule' }],
    ] as const) {
      const refused = await dana.call(method, '/api/admin/delivery-pause', { body });
      expect([refused.status, refused.json.error.message]).toEqual([403, 'Only system administrators may do this']);
    }
    const vague = await administrator.call('POST', '/api/admin/delivery-pause', { body: {} });
    expect(vague.json.error.fields[0].path).toBe('overdue');
    expect((await ready()).status).toBe('paused');
  });

  it('delivers at once when it is resumed, without a restart', async () => {
    const released = await administrator.call('POST', '/api/admin/delivery-pause', { body: { overdue: 'by_rule' } });
    expect(released.json).toEqual({ state: 'delivering', missed: 0 });
    const mails = await untilFound(database.url, async () => {
      const { json } = await dana.call('GET', '/api/inbox', { workspace });
      return json.data.length === 2 ? json.data : null;
    });
    expect(mails.map((mail: { recipient: string }) => mail.recipient).toSorted()).toEqual([
      'erin@example.com',
      'finn@example.com',
    ]);
    expect(await ready()).toEqual({ status: 'ready' });
    expect((await administrator.call('GET', '/api/admin/delivery-pause')).json).toEqual({
      state: 'delivering',
      after_fail_over: 'pauses',
    });
    const { rows } = await owner.query(
      "select actor_id from audit_log where action = 'engine.released' and workspace_id is null",
    );
    expect(rows).toEqual([{ actor_id: administrator.userId }]);
  });
});
