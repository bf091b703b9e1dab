import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, it, type TestContext } from 'vitest';
import { ownMigrations } from '#platform/migrate.ts';
import { openScene, quickLimits } from './scene.ts';
import { cutOff, expectAllServed, workerOf } from './served.ts';

const limits = { ...quickLimits, slots: 96, slotsPerWorkspace: 64 };

describe('two versions side by side', () => {
  it('the older one sends no more once the newer one has migrated, and goes on answering', async (test) => {
    const scene = await openScene(test);
    await scene.writeDue(600);
    const older = scene.start({ limits });
    await scene.sink.received(200);
    scene.sink.holdRequests();
    const at = Date.now();
    const inFlight = cutOff(await scene.look(), older);
    const newer = scene.start({ limits, migrations: await newerMigrations(test) });
    await older.line(/9999_from_the_future\.sql/);
    // What it had in flight it hears of, and records.
    scene.sink.release();
    await scene.allJobsEnded();
    await expectAllServed(scene, {
      scenario: 'a newer version beside the older one',
      inFlight,
      at,
      takenUpAt: null,
    });

    const { url } = await older.ready;
    const [ready, config] = [await fetch(`${url}/api/ready`), await fetch(`${url}/api/config`)];
    test.expect({ status: ready.status, error: (await ready.json()).error }).toMatchObject({
      status: 503,
      error: {
        code: 'unavailable',
        message:
          'A newer version has migrated the database (9999_from_the_future.sql): this process sends nothing any more',
      },
    });
    test.expect(config.status).toBe(200);
    test.expect((await fetch(`${(await newer.ready).url}/api/ready`)).status).toBe(200);

    scene.sink.holdRequests();
    await scene.writeDue(40);
    await scene.sink.received(640);
    const workers = new Set((await scene.look()).running.map(({ worker }) => worker.split(':').at(-1)));
    test.expect([...workers]).toEqual([workerOf(newer).slice(1)]);
    scene.sink.release();

    const late = scene.start({ isPlain: true });
    test.expect(await late.ended).toMatchObject({
      code: 1,
      stderr:
        'The database was brought up to date by a newer Cuebird (this version does not know 9999_from_the_future.sql). Start that version, or restore a backup from before it.\n',
    });
    older.signal('SIGTERM');
    test.expect(await older.ended).toMatchObject({ code: 0 });
  }, 120_000);
});

/** The migrations of this version and one more, which this version can live with. */
async function newerMigrations({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'cuebird-newer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(ownMigrations, folder, { recursive: true });
  await writeFile(
    join(folder, '9999_from_the_future.sql'),
    'alter table jobs add mood text; alter table deliveries add mood text; create table moods (mood text primary key);',
  );
  return pathToFileURL(`${folder}/`);
}
