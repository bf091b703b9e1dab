import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { secureDataDir } from '#platform/data-dir.ts';

describe.skipIf(process.platform === 'win32')('the data folder', () => {
  let home: string;
  let folder: string;
  let warnings: string[];
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'cuebird-test-'));
    folder = join(home, 'data');
    warnings = [];
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const secure = () => secureDataDir(folder, (text) => warnings.push(text));
  const modeOf = async () => ((await stat(folder)).mode & 0o777).toString(8);
  async function make(mode: number, ...files: string[]) {
    await mkdir(folder);
    for (const file of files) await writeFile(join(folder, file), '');
    await chmod(folder, mode);
  }

  it('is made for its owner alone', async () => {
    await secure();
    expect([await modeOf(), warnings]).toEqual(['700', []]);
  });

  it.each([0o755, 0o777, 0o750, 0o711])('is closed to others where it was there before, with mode %o', async (mode) => {
    await make(mode, 'encryption.key', 'cuebird.lock', 'postgres-port', '.gitignore');
    await secure();
    expect([await modeOf(), warnings]).toEqual(['700', []]);
  });

  it('stays as it is where it holds what is somebody else’s, and says what to do', async () => {
    await make(0o755, 'encryption.key', 'index.html');
    await secure();
    expect(await modeOf()).toBe('755');
    expect(warnings).toEqual([
      `Other accounts of this machine can open the data folder ${folder} (mode 755), because it also contains files that are not Cuebird's (index.html). ` +
        `Run "chmod 700 ${folder}", or set DATA_DIR to a folder of its own.`,
    ]);
  });

  it.skipIf(process.getuid?.() !== 0)('stays as it is where it is another account’s', async () => {
    await make(0o755);
    await chown(folder, 65_534, 65_534);
    await secure();
    expect(await modeOf()).toBe('755');
    expect(warnings).toEqual([expect.stringContaining('because it belongs to another account. Run "chmod 700')]);
  });
});
