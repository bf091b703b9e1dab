import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inflate } from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { z } from 'zod';

/**
 * Starts headless Chromium from npm, with its own libraries and fonts: it needs nothing of the machine.
 * @param flags of the command line, besides those that every browser here has
 */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  const folder = await unpackedChromium();
  const { LD_LIBRARY_PATH: machineLibraries = '' } = process.env;
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    headless: true,
    // Most of the flags the package proposes are for AWS Lambda and make it another browser than people have: one
    // process for everything, no web security, no site isolation.
    args: [...FLAGS, ...flags],
    env: {
      ...process.env,
      HOME: folder,
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      LD_LIBRARY_PATH: [join(folder, 'al2023', 'lib'), machineLibraries].filter(Boolean).join(':'),
    },
  });
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
const Package = z.object({ version: z.string() });

// Unpacked once per user and version; a folder half unpacked never gets the final name.
async function unpackedChromium(): Promise<string> {
  const { version } = Package.parse(JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')));
  const uid = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `cuebird-chromium-${version}-${uid}`);
  const there = await stat(folder).catch(() => null);
  if (there === null) return unpackTo(folder);
  if (process.getuid && there.uid !== uid) throw new Error(`${folder} belongs to another user: remove it.`);
  return folder;
}

async function unpackTo(folder: string): Promise<string> {
  const draft = await mkdtemp(`${folder}-`);
  const { TMPDIR } = process.env;
  // The package unpacks into the system's temporary folder, and knows no other way to be told where.
  process.env.TMPDIR = draft;
  try {
    const archives = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br', 'swiftshader.tar.br'];
    await Promise.all(archives.map((archive) => inflate(join(packageFolder, 'bin', archive))));
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  await writeFile(join(draft, 'fonts.conf'), fontSettings(folder));
  await rename(draft, folder).catch(async (error: unknown) => {
    // Another process was faster, and its folder is as good.
    await rm(draft, { recursive: true });
    if ((await stat(folder).catch(() => null)) === null) throw error;
  });
  return folder;
}

// Only the fonts of the package: a page looks the same on every machine.
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>
`;
}
