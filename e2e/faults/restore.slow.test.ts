import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { describe, it } from 'vitest';
import { writeBackup } from '#commands/backup.ts';
import { createBlankDatabase, createTestDatabase, TEST_ENCRYPTION_KEY as encryptionKey } from '#testing/database.ts';
import { createInstallation, type CuebirdProcess } from '#testing/process.ts';
import { runCommand } from '#testing/run-command.ts';
import { dueReminders, writeReminders } from './due-reminders.ts';
import { asOwner } from './look.ts';
import { openScene, quickLimits } from './scene.ts';
import { expectAllServed } from './served.ts';

const recipients = 3_000;
const isCopying = 'select from pg_stat_progress_copy where datname = current_database()';

/** When a restore is killed. */
const moments: [moment: string, condition: string][] = [
  ['the first table is there', "to_regclass('public.schema_migrations') is not null"],
  ['a migration has run', "to_regclass('public.workspaces') is not null"],
  ['rows are loaded', `exists (${isCopying})`],
  ['rows of a large table are loaded', `exists (${isCopying} and relid = to_regclass('public.jobs'))`],
  // Waits for the commit, since its tables are locked until then.
  ['the rows are there', "exists (select from app_settings where key = 'restore.unfinished')"],
];

describe('a restore', () => {
  it('is killed among its migrations, its rows and after them, and repeated: then everybody is served once', async (test) => {
    const [source, target, installation] = await Promise.all([
      createTestDatabase(),
      createBlankDatabase(),
      createInstallation(),
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'cuebird-restore-'));
    const scene = await openScene(test, { database: target });
    test.onTestFinished(async () => {
      await installation.remove();
      await source.drop();
      await rm(folder, { recursive: true });
    });
    const reminders = dueReminders(scene.sink, { recipients, since: { seconds: 10 } });
    await writeReminders(source.url, { reminders });
    scene.written = { reminders: reminders.length, recipients };
    const file = join(folder, 'all.backup');
    await writeBackup({ ownerUrl: source.url, encryptionKey, file, now: Temporal.Now.instant() });

    const restore = () => installation.start({ args: ['restore', file], env: { DATABASE_URL: target.url } });
    const at = Date.now();
    for (const [moment, condition] of moments) {
      const killed = restore();
      const hasCome = await asOwner(target.url, (owner) => comes(owner, { condition, during: killed }));
      killed.signal('SIGKILL');
      test.expect([moment, hasCome, (await killed.ended).signal]).toEqual([moment, true, 'SIGKILL']);
    }
    test.expect(await restore().ended).toMatchObject({ code: 0 });
    test.expect(await runCommand({ DATABASE_URL: target.url }, ['resume'])).toMatchObject({ code: 0 });
    const worker = scene.start({ limits: { ...quickLimits, slots: 96, slotsPerWorkspace: 64 } });
    await scene.allJobsEnded();
    await expectAllServed(scene, {
      scenario: `a restore is killed ${moments.length} times`,
      inFlight: new Set(),
      at,
      takenUpAt: null,
    });
    worker.signal('SIGTERM');
    test.expect(await worker.ended).toMatchObject({ code: 0 });
  });
}, 240_000);

/** Asks until the condition is true; false when the process ends before. */
async function comes(
  owner: Client,
  { condition, during }: { condition: string; during: CuebirdProcess },
): Promise<boolean> {
  let hasEnded = false;
  void during.ended.then(() => (hasEnded = true));
  while (!hasEnded) {
    const { rows } = await owner.query<{ is_so: boolean }>(`select ${condition} as is_so`);
    if (rows[0]?.is_so === true) return true;
  }
  return false;
}
