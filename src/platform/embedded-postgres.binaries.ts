import { cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { EmbeddedPostgresError } from '#platform/embedded-postgres.error.ts';

export type Binaries = { version: string; folder: string; initdb: string; pgCtl: string; postgres: string };

/** Finds PostgreSQL's programs in the npm package for this machine, which `distribution` depends on. */
export async function findBinaries(distribution: string): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const root = packageFolder(name, distribution);
  if (root === null) {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed, so there is no built-in PostgreSQL for this machine. Run npm ci, or set DATABASE_URL to a PostgreSQL server.`,
    );
  }
  await restoreSymlinks(root);
  const { version } = Package.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  return binariesIn(join(root, 'native'), version);
}

const Package = z.object({ version: z.string() });

/** Copies the programs to a folder that the other account can read, unless they are there already. */
export async function copyBinaries(from: Binaries, target: string): Promise<Binaries> {
  const copied = binariesIn(target, from.version);
  if (await stat(target).catch(() => null)) return copied;
  const draft = `${target}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(dirname(draft), { recursive: true });
  await cp(from.folder, draft, { recursive: true, verbatimSymlinks: true });
  await rename(draft, target);
  return copied;
}

function binariesIn(folder: string, version: string): Binaries {
  const program = (name: string) => join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { version, folder, initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres') };
}

function packageFolder(name: string, distribution: string): string | null {
  try {
    const fromHere = createRequire(import.meta.url);
    // The platform package is a dependency of the distribution: npm may nest it there.
    const fromEmbedded = createRequire(fromHere.resolve(distribution));
    return dirname(dirname(fromEmbedded.resolve(name)));
  } catch {
    return null;
  }
}

const Symlinks = z.array(z.object({ source: z.string(), target: z.string() }));

// Creates the programs' symlinks: npm packages cannot hold any, and the install script that makes them may be switched off.
async function restoreSymlinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of Symlinks.parse(JSON.parse(list))) {
    try {
      await symlink(relative(dirname(target), source), join(root, target));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
