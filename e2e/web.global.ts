import { buildWebIfStale } from '../scripts/web-build.ts';

/** The browser tests see the web as it is served: built. */
export default async function buildWebForTests(): Promise<void> {
  await buildWebIfStale(() => {});
}
