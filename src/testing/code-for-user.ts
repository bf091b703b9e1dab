import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { canEnter } from '#platform/embedded-postgres.account.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Node and a module of `src/platform`, where this user may read them: below a folder that only root may enter, a copy. */
export async function codeForUser(
  uid: number,
  { module, copyTo }: { module: string; copyTo: string },
): Promise<{ node: string; module: string }> {
  const account = { runAs: 'other' as const, uid, gid: uid };
  const folders = [dirname(process.execPath), join(root, 'src')];
  const isOpen = (await Promise.all(folders.map((folder) => canEnter(account, folder)))).every(Boolean);
  if (isOpen) return { node: process.execPath, module: join(root, 'src/platform', module) };
  await mkdir(join(copyTo, 'src'), { recursive: true });
  await cp(process.execPath, join(copyTo, 'node'));
  await cp(join(root, 'src/platform'), join(copyTo, 'src/platform'), { recursive: true });
  await writeFile(join(copyTo, 'package.json'), JSON.stringify({ type: 'module', imports: { '#*': './src/*' } }));
  for (const name of ['pg', 'zod', 'embedded-postgres']) await copyPackage(name, { from: root, copyTo });
  return { node: join(copyTo, 'node'), module: join(copyTo, 'src/platform', module) };
}

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

/** With all that it depends on and that is installed. */
async function copyPackage(name: string, { from, copyTo }: { from: string; copyTo: string }): Promise<void> {
  const folders = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  for (const parent of folders) {
    const folder = join(parent, name);
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
    if (text === null) continue;
    await cp(folder, join(copyTo, 'node_modules', name), { recursive: true, verbatimSymlinks: true });
    const { dependencies, optionalDependencies } = Manifest.parse(JSON.parse(text));
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies }))
      await copyPackage(needed, { from: folder, copyTo });
    return;
  }
}
