import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilFound } from '#testing/changes.ts';
import { signUp } from '#testing/cuebird.ts';
import { connectOwner } from '#testing/owner.ts';
import { createInstallation, type CuebirdProcess, type TestInstallation } from '#testing/process.ts';
import { runCommand } from '#testing/run-command.ts';

/** The terminal session of an administrator who moves an installation to another machine. */
describe('at the terminal', { timeout: 120_000 }, () => {
  let folder: string;
  let here: TestInstallation;
  let there: TestInstallation;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cuebird-commands-'));
    [here, there] = await Promise.all([createInstallation(), createInstallation()]);
  });
  afterAll(async () => {
    await Promise.all([here.remove(), there.remove()]);
    await rm(folder, { recursive: true });
  });

  async function runProcess(installation: TestInstallation, ...args: string[]) {
    const { code, stdout, stderr } = await installation.start({ args }).ended;
    return { code, said: stdout.trim(), complained: stderr.trim() };
  }
  const run = ({ dataDir }: TestInstallation, ...line: string[]) => runCommand({ DATA_DIR: dataDir }, line);
  const file = (name: string) => join(folder, name);

  async function stop(process: CuebirdProcess) {
    process.signal('SIGTERM');
    expect((await process.ended).code).toBe(0);
  }

  it('a command without a database says that there is none, and makes none', async () => {
    const answers = await Promise.all([
      runProcess(here, 'backup', file('none')),
      ...['pause', 'resume'].map((name) => run(here, name)),
    ]);
    const complained = `There is no database in ${here.dataDir}. Set DATA_DIR or DATABASE_URL to where it is.`;
    expect(answers).toEqual(answers.map(() => ({ code: 1, said: '', complained })));
    expect(await readdir(here.dataDir)).toEqual([]);
  });

  it('a backup is made while Cuebird runs, and while it does not', async () => {
    // No engine runs here, so that a job stays due.
    const web = here.start({ args: ['--role', 'web'] });
    const { url } = await web.ready;
    const dana = await signUp(url, { name: 'Dana', email: 'dana@example.com' });
    const workspace = await dana.createWorkspace('Elm Street');
    const reminder = {
      name: 'Rent',
      status: 'active',
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'once',
        startDate: new Date().toISOString().slice(0, 19),
        timezone: 'UTC',
      },
      content: { subject: 'Rent is due', message: 'Today', recipients: ['erin@example.com'] },
      metadata: { channels: ['email'] },
    };
    expect((await dana.call('POST', '/api/reminders', { workspace, body: reminder })).status).toBe(201);

    const running = await runProcess(here, 'backup', file('running'));
    expect(running).toMatchObject({ code: 0, complained: '' });
    expect(running.said).toMatch(
      /^Backed up \d+ rows of \d+ tables to .*running \(\d+\.\d MB, \d+\.\d s\), and read it back\.\nKeep the encryption key as well, in another place: ENCRYPTION_KEY\./,
    );
    expect((await fetch(`${url}/api/ready`)).status).toBe(200);
    await stop(web);
    expect(await run(here, 'backup', file('stopped'))).toMatchObject({ code: 0 });
    expect(here.postgres()).toEqual([]);
  });

  it('what a command cannot understand it tells with how it goes', async () => {
    const cases = [
      { args: ['backup'], complaint: 'Usage: npm run backup -- FILE' },
      { args: ['restore', 'one', 'two'], complaint: 'Usage: npm run restore -- FILE [--with-another-key]' },
      { args: ['pause', '--all'], complaint: 'Usage: npm start -- pause [--begin]' },
      { args: ['resume', '--overdue', 'never'], complaint: '--overdue never: must be by_rule or missed' },
      { args: ['restore', file('nowhere')], complaint: `There is no file ${file('nowhere')}.` },
    ];
    const answers = await Promise.all(cases.map(({ args }) => run(here, ...args)));
    expect(answers.map(({ code, complained }) => [code, complained.split('\n').at(-1)])).toEqual(
      cases.map(({ complaint }) => [1, complaint]),
    );
  });

  it('a restore brings it to another machine, where nothing goes out until it is released', async () => {
    const restored = await runProcess(there, 'restore', file('running'));
    expect(restored).toMatchObject({ code: 0, complained: '' });
    expect(restored.said).toMatch(/^Restored \d+ rows of \d+ tables from .*running, as of .* UTC\./);
    expect((await run(there, 'restore', file('running'))).complained).toMatch(/^The database is not empty/);

    const listed = await runProcess(there, 'pause');
    expect(listed.said).toMatch(
      /^Deliveries are paused since .* UTC: this database was restored from a backup of .* UTC\.\nDue by now: 1 occurrence\. Planned for later: 0\.$/m,
    );
    expect(listed.said).toMatch(/^ {2}Elm Street +1 due +0 later$/m);
    expect(listed.said).toMatch(/UTC {2}Rent \(Elm Street\): to 1 recipient$/m);

    const cuebird = there.start();
    const { url } = await cuebird.ready;
    await cuebird.line(/^Deliveries are paused: this database was restored from a backup/);
    expect(await (await fetch(`${url}/api/ready`)).json()).toMatchObject({ status: 'paused', reason: 'restored' });
    const owner = await connectOwner(await there.databaseUrl());
    const mails = async () =>
      (await owner.query('select recipient from sandbox_messages where subject = $1', ['Rent is due'])).rows;
    expect(await mails()).toEqual([]);

    expect((await runProcess(there, 'resume')).said).toBe('Deliveries are resumed.');
    const arrived = await untilFound(await there.databaseUrl(), async () => {
      const rows = await mails();
      return rows.length > 0 ? rows : null;
    });
    expect(arrived).toEqual([{ recipient: 'erin@example.com' }]);
    expect((await run(there, 'resume')).said).toBe('Deliveries are not paused: there is nothing to resume.');
    expect((await run(there, 'pause')).said).toBe('Deliveries are not paused.');
    await owner.end();
    await stop(cuebird);
  });

  it('a copy that nobody can tell from its original is held by hand, before it starts', async () => {
    const cuebird = there.start();
    const { url } = await cuebird.ready;
    expect((await run(there, 'pause', '--begin')).complained).toBe(
      'Cuebird is running on this database and would keep delivering: stop it first.',
    );
    expect(await (await fetch(`${url}/api/ready`)).json()).toEqual({ status: 'ready' });
    await stop(cuebird);
    expect((await run(there, 'pause', '--begin')).said).toMatch(
      /^Deliveries are paused since .*: an administrator has asked for it\.$/m,
    );
    const paused = there.start();
    await paused.line(/^Deliveries are paused: an administrator has asked for it\./);
    await stop(paused);
  });

  it('what was due can be left out', async () => {
    const third = await createInstallation();
    expect(await run(third, 'restore', file('stopped'))).toMatchObject({ code: 0 });
    expect((await run(third, 'resume', '--overdue', 'missed')).said).toBe(
      'Deliveries are resumed. 1 occurrence recorded as missed.',
    );
    await third.remove();
  });
});
