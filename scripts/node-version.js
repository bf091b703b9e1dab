import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Plain JavaScript: an older Node must be able to parse this file to print its message.
if (Number(process.versions.node.split('.')[0]) < 26) {
  console.error(
    `Cuebird needs Node 26, and this is Node ${process.versions.node}: run it through npm start, which brings its own (and if that is what you did, run npm ci first).`,
  );
  process.exit(1);
}

// Half a second less for each further start. Where the folder cannot be written, nothing is kept.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)));
