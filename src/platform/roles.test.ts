import { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { migrate } from '#platform/migrate.ts';
import { loginOf, urlForRole } from '#platform/roles.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';

const key = 'an encryption key of enough characters';

describe('the logins of the database', () => {
  it('are named after the installation, so that two can share one server', () => {
    expect(loginOf('app', key)).toMatch(/^cuebird_app_[0-9a-f]{8}$/);
    expect(loginOf('app', key)).toBe(loginOf('app', key));
    expect(loginOf('app', `${key}!`)).not.toBe(loginOf('app', key));
  });

  it('have passwords that follow from the key, each role its own, and hold nothing of it', () => {
    const password = (role: 'app' | 'engine' | 'auth', encryptionKey = key) =>
      new URL(urlForRole('postgres://localhost/x', { role, encryptionKey })).password;
    const all = [password('app'), password('engine'), password('auth'), password('app', `${key}!`)];
    expect(new Set(all).size).toBe(4);
    for (const one of all) expect(one).toMatch(/^[\w-]{43}$/);
    expect(password('app')).toBe(password('app'));
    expect(all.join()).not.toContain(key);
  });

  it("keep the owner's address, port, database and options, and none of its login", () => {
    const owner = 'postgres://own%40er:p%3Ass@db.example.com:6432/cue%20bird?sslmode=require';
    const url = new URL(urlForRole(owner, { role: 'engine', encryptionKey: key }));
    expect(url.host + url.pathname + url.search).toBe('db.example.com:6432/cue%20bird?sslmode=require');
    expect(url.username).toBe(loginOf('engine', key));
    expect(url.href).not.toMatch(/own|p%3Ass/);
  });

  it('do not open with the password of another role, nor of another installation', async () => {
    const database = await createTestDatabase();
    const right = urlForRole(database.url, { role: 'auth', encryptionKey: TEST_ENCRYPTION_KEY });
    await expect(tryToConnect(right)).resolves.toBe('connected');
    for (const other of [
      urlForRole(database.url, { role: 'app', encryptionKey: TEST_ENCRYPTION_KEY }),
      urlForRole(database.url, { role: 'auth', encryptionKey: key }),
    ]) {
      const wrong = new URL(right);
      wrong.password = new URL(other).password;
      await expect(tryToConnect(wrong.href)).rejects.toThrow(/password authentication failed/);
    }
    await database.drop();
  });

  it("of one installation do not open another's database on the same server", async () => {
    const [one, other] = [await createTestDatabase(), await createTestDatabase()];
    await migrate(one.url, { encryptionKey: TEST_ENCRYPTION_KEY });
    await migrate(other.url, { encryptionKey: key });
    await expect(tryToConnect(urlForRole(other.url, { role: 'app', encryptionKey: key }))).resolves.toBe('connected');
    const stranger = urlForRole(other.url, { role: 'app', encryptionKey: TEST_ENCRYPTION_KEY });
    await expect(tryToConnect(stranger)).rejects.toThrow(/permission denied for database/);
    await Promise.all([one.drop(), other.drop()]);
  });
});

async function tryToConnect(url: string): Promise<'connected'> {
  const pool = new Pool({ connectionString: url, max: 1 });
  // Its connection may still be closing when the database goes.
  pool.on('error', () => {});
  try {
    await pool.query('select 1');
    return 'connected';
  } finally {
    await pool.end();
  }
}
