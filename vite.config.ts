import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles, screenFiles } from './scripts/web-files.ts';

const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

// The web has a folder `api` of its own, whose modules Vite serves below the same path.
const calls = String.raw`^/api/(?!.*\.(ts|tsx|css)(\?|$))`;

export default defineConfig({
  root: 'src/web',
  plugins: [react(), screenFiles(), compressedFiles()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    sourcemap: false,
    rolldownOptions: {
      output: {
        // What nearly every screen needs comes as one file instead of thirty; the rest stays with the screens that use it.
        codeSplitting: {
          groups: [
            { name: 'shared', minShareCount: 26, minSize: 0 },
            // What stands around every signed-in screen, with what it needs: a screen that uses a part must not split it.
            { name: 'frame', test: /WorkspaceProvider|SignedInLayout|app.Themed/, minSize: 0 },
            // Icons and small parts that several screens use: a file of some hundred bytes costs more to ask for than to load.
            // Not what the dashboard does without: its first load has these.
            {
              name: 'parts',
              test: /^(?!.*(ActionsMenu|ui.Notice|two-factor|Copyable|JsonText|run-outcome|JobBadge|reason-values|pickers|mantine.(dates|form)|klona|dayjs))/,
              minShareCount: 6,
              maxModuleSize: 1200,
              minSize: 0,
            },
            // What every form of a message has of topics.
            { name: 'topic', test: /default-topic|topic-words|api.topics/, minSize: 0 },
          ],
        },
      },
    },
  },
  server: {
    host: 'localhost',
    port: 5173,
    strictPort: true,
    // The server sees the address in the browser's bar, as it would without the proxy: links and cookies fit it.
    proxy: {
      [calls]: { target: server, changeOrigin: false },
      // These pages have a build of their own, or are drawn for each visitor.
      [String.raw`^/((docs|privacy|terms|support|unsubscribe|assets)(/|$)|$)`]: { target: server, changeOrigin: false },
    },
  },
});
