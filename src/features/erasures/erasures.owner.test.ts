import { randomUUID } from 'node:crypto';
import { DatabaseError } from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { migrate } from '#platform/migrate.ts';
import { startTestCuebird } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

it('a person is erased where the owner of the database is no superuser, whom policies bind as well', async () => {
  const name = `owner_${randomUUID().replaceAll('-', '')}`;
  const admin = await connectOwner(inject('postgresUrl'));
  onTestFinished(async () => {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`drop role ${name}`);
    await admin.end();
  });
  await admin.query(`create role ${name} login password 'owner' nocreaterole`);
  await admin.query(`create database ${name} owner ${name}`);
  const url = new URL(`/${name}`, inject('postgresUrl'));
  Object.assign(url, { username: name, password: 'owner' });
  const refusal = await migrate(url.href, { encryptionKey: TEST_ENCRYPTION_KEY }).then(String, String);
  // Another test on this server may have made a role meanwhile.
  for (const statement of refusal.split('\n').filter((line) => line.endsWith(';')))
    await admin.query(statement).catch((error: unknown) => {
      if (!(error instanceof DatabaseError && error.code === '42710')) throw error;
    });
  const asAdmin = await connectOwner(Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href);
  const cuebird = await startTestCuebird({ database: { url: url.href, drop: async () => {} } });
  try {
    const dana = await cuebird.signUp('Dana');
    const workspace = await dana.createWorkspace('Elm Street');
    await dana.call('POST', '/api/contacts', { workspace, body: { name: 'Anna', email: 'anna@example.com' } });
    const entry = { channel: 'email', recipient: 'anna@example.com' };
    await dana.call('POST', '/api/suppressions', { workspace, body: entry });
    const body = { addresses: ['anna@example.com'], asked_how: 'By letter' };
    expect((await dana.call('POST', '/api/erasures', { workspace, body })).status).toBe(201);
    const list = async () => (await dana.call('GET', '/api/erasures', { workspace })).json.data[0];
    await expect.poll(async () => (await list()).done_at).not.toBeNull();
    expect((await list()).counts).toMatchObject({ contacts: 1 });
    const { rows } = await asAdmin.query<{ reason: string; recipient: string }>(
      'select distinct reason, recipient from suppressions',
    );
    expect(rows).toEqual([{ reason: 'erased', recipient: expect.stringMatching(/^#[\w-]{43}$/) }]);
    expect((await asAdmin.query('select from contacts')).rowCount).toBe(0);
  } finally {
    await cuebird.stop();
    await asAdmin.end();
  }
});
