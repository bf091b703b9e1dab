// Runs after an install, in plain JavaScript for any Node version: npm 10 installs the pinned Node and then removes
// node_modules/.bin/node, because the packages for other systems declare the same file.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const { optionalDependencies } = readPackage(join(modules, '..'));
const name = Object.keys(optionalDependencies).find((candidate) =>
  existsSync(join(modules, candidate, 'package.json')),
);

if (name !== undefined) {
  const program = join('..', name, readPackage(join(modules, name)).bin.node);
  const link = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (!existsSync(link)) {
    if (process.platform === 'win32') writeFileSync(link, `@"%~dp0\\${program}" %*\r\n`);
    else symlinkSync(program, link);
  }
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
