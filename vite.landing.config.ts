import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './scripts/web-files.ts';
import { landingPages, landingScript } from './scripts/landing-pages.ts';

/** The landing page: its script beside the files of the web, and with `--ssr` the two pages that load it. */
export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [react(), ...(isSsrBuild === true ? [landingPages()] : [landingScript(), compressedFiles()])],
  build: {
    outDir: isSsrBuild === true ? 'dist/landing' : 'dist/web',
    emptyOutDir: false,
    rolldownOptions: { input: isSsrBuild === true ? 'src/landing/render.tsx' : 'src/landing/landing.ts' },
  },
}));
