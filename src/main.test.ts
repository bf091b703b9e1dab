import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBlankDatabase } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { createInstallation, type TestInstallation } from '#testing/process.ts';

describe('a start', { timeout: 120_000 }, () => {
  let installation: TestInstallation;
  let other: TestInstallation;
  let database: Awaited<ReturnType<typeof createBlankDatabase>>;
  beforeAll(async () => {
    [installation, other, database] = await Promise.all([
      createInstallation(),
      createInstallation(),
      createBlankDatabase(),
    ]);
  });
  afterAll(async () => {
    await Promise.all([installation.remove(), other.remove()]);
    await database.drop();
  });

  const withOptions = (options: Record<string, string>) => {
    const url = new URL(database.url);
    for (const [name, value] of Object.entries(options)) url.searchParams.set(name, value);
    return url.href;
  };
  const withLogin = (name: string) => {
    const url = new URL(database.url);
    url.username = name;
    url.password = 'secret';
    return url.href;
  };

  it.each([
    [
      'an option that the server does not know',
      () => withOptions({ options: '-c nothing=1' }),
      /refuses the connection \(unrecognized configuration parameter "nothing"\)$/,
    ],
    [
      'TLS that the server does not have',
      () => withOptions({ sslmode: 'verify-full' }),
      /no secure connection to the database \(The server does not support SSL connections\)$/,
    ],
    [
      'a database that is read-only',
      () => withOptions({ options: '-c default_transaction_read_only=on' }),
      /accepts no changes \(default_transaction_read_only is on for it or its user\)\.$/,
    ],
    [
      'a login whose connections are used up',
      () => withLogin('without_connections'),
      /has no connection left \(too many connections for role "without_connections"\)\. Raise max_connections/,
    ],
    ['a login that nobody knows', () => withLogin('nobody'), /refuses the login/],
  ])('with %s says so in one line', async (_, url, said) => {
    const owner = await connectOwner(database.url);
    await owner.query(`do $$ begin
      create role without_connections login password 'secret' connection limit 0;
    exception when duplicate_object then null; end $$`);
    await owner.end();
    const { code, stdout, stderr } = await installation.start({ env: { DATABASE_URL: url() } }).ended;
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }, stderr).toEqual({
      code: 1,
      stdout: '',
      lines: 1,
    });
    expect(stderr.trimEnd()).toMatch(/^DATABASE_URL: /);
    expect(stderr.trimEnd()).toMatch(said);
  });

  it('of two processes at once, on an empty database and with the demo, succeeds in both', async () => {
    const env = { DATABASE_URL: database.url, DEMO: 'on' };
    const processes = [installation.start({ env }), other.start({ env })];
    const printed = await Promise.all(processes.map(({ ready }) => ready));
    expect(new Set(printed.map(({ url }) => url)).size).toBe(2);
    const owner = await connectOwner(database.url);
    const { rows } = await owner.query(
      'select (select count(*)::int from profiles where is_demo) as people, (select count(*)::int from workspaces) as workspaces',
    );
    await owner.end();
    expect(rows).toEqual([{ people: 1, workspaces: 1 }]);
    for (const process of processes) process.signal('SIGTERM');
    expect((await Promise.all(processes.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0]);
  });
});
