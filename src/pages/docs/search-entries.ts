import { type DocsPage, docsPath } from '#contract/docs-pages.ts';
import type { RenderedPage } from './markdown.ts';
import type { Entry } from './search.ts';

/** How much of a section is indexed: a longer one is found by its beginning. */
const mostCharacters = 4_000;

/** The index entries of a page: its beginning and each of its sections. */
export const searchEntries = ({ page, rendered }: { page: DocsPage; rendered: RenderedPage }): Entry[] =>
  rendered.sections.map(({ heading, text }) => ({
    path: `${docsPath(page.name)}${heading === null ? '' : `#${heading.id}`}`,
    page: page.title,
    heading: heading?.text ?? page.title,
    text: text.replaceAll(/\s+/g, ' ').trim().slice(0, mostCharacters),
  }));
