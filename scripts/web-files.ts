import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const fewestBytes = 1_024;

/** `screens.json` names the files of each screen, so that the page can ask for them before its code runs. */
export function screenFiles(): Plugin {
  return {
    name: 'cuebird-screen-files',
    generateBundle: {
      // A chunk of nothing but styles is there until Vite has put it into those that import it.
      order: 'post',
      handler(_, bundle) {
        const files = new Map<string, string[]>();
        const filesOf = (name: string, found = new Set<string>()): Set<string> => {
          const chunk = bundle[name];
          if (chunk?.type !== 'chunk' || found.has(name)) return found;
          found.add(name);
          for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
          for (const imported of chunk.imports) filesOf(imported, found);
          return found;
        };
        const entry = Object.values(bundle).find((one) => one.type === 'chunk' && one.isEntry);
        const common = filesOf(entry?.fileName ?? '');
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !chunk.isDynamicEntry || chunk.facadeModuleId === null) continue;
          files.set(
            chunk.facadeModuleId,
            [...filesOf(chunk.fileName)].filter((name) => !common.has(name)),
          );
        }
        const screens = routesIn(join(import.meta.dirname, '../src/web/features')).map(
          ({ path, screen, needsSession }) => [
            path,
            { files: files.get(screen) ?? this.error(`${path}: no file of the build is ${screen}`), needsSession },
          ],
        );
        const source = JSON.stringify(Object.fromEntries(screens));
        this.emitFile({ type: 'asset', fileName: 'screens.json', source });
      },
    },
  };
}

/** Each text file also lies there compressed, which a server would otherwise do for every visitor. */
export function compressedFiles(): Plugin {
  return {
    name: 'cuebird-compressed-files',
    writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets');
      for (const name of readdirSync(assets).filter((one) => /\.(js|css)$/.test(one))) {
        const text = readFileSync(join(assets, name));
        if (text.length < fewestBytes) continue;
        const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(text, { params: quality }));
        writeFileSync(join(assets, `${name}.gz`), gzipSync(text, { level: 9 }));
      }
    },
  };
}

/** The routes that the features declare, read from their source: the router itself runs in a browser only. */
function routesIn(folder: string): { path: string; screen: string; needsSession: boolean }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.route.ts'))
    .flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('createRoute({')
        .slice(1)
        // A screen within a screen comes with what stands around it.
        .filter((route) => /getParentRoute: \(\) => (signedIn|themed)Route/.test(route))
        .map((route) => ({
          path: /\bpath: '([^']+)'/.exec(route)?.[1] ?? '',
          screen: join(folder, name, '..', /lazyRouteComponent\(\(\) => import\('([^']+)'\)/.exec(route)?.[1] ?? ''),
          needsSession: /getParentRoute: \(\) => signedInRoute/.test(route),
        })),
    );
}
