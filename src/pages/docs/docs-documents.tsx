import type { ReactNode } from 'react';
import type { Document } from '#pages/document.tsx';
import css from './docs.css?inline';
import { type DocsPage, docsPages, docsPath, tutorials } from './docs-pages.ts';
import { FirstPage } from './FirstPage.tsx';
import { MarkdownPage } from './MarkdownPage.tsx';
import { renderMarkdown } from './markdown.ts';
import type { Entry } from './search.ts';
import { searchEntries } from './search-entries.ts';
import { TutorialsPage } from './walks/TutorialsPage.tsx';

type Sources = {
  script: string;
  /** The text of a file of `docs/`. */
  read: (file: string) => string;
  /** Stores what can be searched, and returns its address. */
  storeIndex: (entries: readonly Entry[]) => string;
};

/** The documentation: its first page, the walk-throughs, and a page for each file. */
export function docsDocuments({ script, read, storeIndex }: Sources): Document[] {
  const written = docsPages.map((page) => ({ page, rendered: renderMarkdown(read(`${page.name}.md`)) }));
  const index = storeIndex(written.flatMap(searchEntries));
  const documentOf = (
    page: Pick<DocsPage, 'title' | 'description'>,
    { path, body }: { path: string; body: ReactNode },
  ): Document => ({
    path,
    readers: 'all',
    title: `${page.title} · Cuebird`,
    description: page.description,
    css,
    script,
    body,
  });
  return [
    documentOf(first, { path: '/docs', body: <FirstPage index={index} /> }),
    documentOf(tutorials, { path: docsPath(tutorials.name), body: <TutorialsPage index={index} /> }),
    ...written.map(({ page, rendered }) =>
      documentOf(page, {
        path: docsPath(page.name),
        body: <MarkdownPage page={page} rendered={rendered} index={index} />,
      }),
    ),
  ];
}

const first = {
  title: 'Documentation',
  description: 'How to write reminders, reach people, see what happened, use the API, and run Cuebird yourself.',
};
