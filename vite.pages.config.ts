import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { drawnPages, pageScripts } from './scripts/page-files.ts';
import { compressedFiles } from './scripts/web-files.ts';

const scripts = {
  landing: 'src/pages/landing/landing.ts',
  docs: 'src/pages/docs/docs.ts',
  support: 'src/pages/support/support.ts',
};

/** The pages that work without a script: their scripts beside the files of the web, and with `--ssr` the pages themselves. */
export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [react(), ...(isSsrBuild === true ? [drawnPages()] : [pageScripts(), compressedFiles()])],
  build: {
    outDir: isSsrBuild === true ? 'dist/pages' : 'dist/web',
    emptyOutDir: false,
    rolldownOptions: { input: isSsrBuild === true ? 'src/pages/render.tsx' : scripts },
  },
}));
