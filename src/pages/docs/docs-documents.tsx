import type { ReactNode } from 'react';
import { walks } from '#pages/docs/walks/walks.ts';
import type { Document } from '#pages/document.tsx';
import { docsGroups, type DocsPage, docsPages, docsPath, tutorials } from '#contract/docs-pages.ts';
import css from './docs.css?inline';
import { Unless } from '#pages/When.tsx';
import { DocsFrame } from './DocsFrame.tsx';
import { type Heading, type RenderedPage, renderMarkdown } from './markdown.ts';
import { searchEntries } from './search-entries.ts';
import type { Entry } from './search.ts';
import { TutorialsPage } from './walks/TutorialsPage.tsx';

type Sources = {
  script: string;
  /** Returns the text of a file in `docs/`. */
  read: (file: string) => string;
  /** Stores the search index, and returns its URL. */
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

/** The first page of the documentation: lists what there is to read and to watch. */
const FirstPage = ({ index }: { index: string }) => (
  <DocsFrame current={null} index={index}>
    <article className="text">
      <h1>Documentation</h1>
      <p className="lead">
        How to write a reminder, reach everybody, and see what became of it; how programs do the same; and how to run
        Cuebird yourself.
      </p>
      <div className="buttons">
        <a className="button primary" href={docsPath('getting-started')}>
          Getting started
        </a>
        <a className="button" href={docsPath(tutorials.name)}>
          {tutorials.title}
        </a>
      </div>
      {docsGroups.map(({ title, pages }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul className="page-cards">
            {pages.map((page) => (
              <li key={page.name}>
                <a href={docsPath(page.name)}>{page.title}</a>
                <p>{page.description}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section>
        <h2>{tutorials.title}</h2>
        <ul className="page-cards">
          {walks.map(({ id, title, text }) => (
            <li key={id}>
              <a href={`${docsPath(tutorials.name)}#${id}`}>{title}</a>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>
    </article>
  </DocsFrame>
);

type MarkdownPageProps = { page: DocsPage; rendered: RenderedPage; index: string };

/** A page from a file in `docs/`. */
const MarkdownPage = ({ page, rendered, index }: MarkdownPageProps) => {
  const headings = rendered.headings.filter(({ level }) => level <= 3);
  return (
    <DocsFrame current={page} index={index} contents={<Contents headings={headings} />}>
      <article className="text">
        <h1>{rendered.title}</h1>
        {page.name === 'plans' && (
          <Unless set="billing">
            <p>This installation has no plans: nothing of what follows limits anything here.</p>
          </Unless>
        )}
        {headings.length > 1 && (
          <details className="contents">
            <summary>On this page</summary>
            <Links headings={headings} />
          </details>
        )}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered from our own files, in which html is text */}
        <div dangerouslySetInnerHTML={{ __html: rendered.html }} />
        {rendered.hasProofs && (
          <details className="proofs">
            <summary>How this page is tested</summary>
            <label>
              <input type="checkbox" /> Show the test that proves each line
            </label>
          </details>
        )}
      </article>
    </DocsFrame>
  );
};

const Contents = ({ headings }: { headings: readonly Heading[] }) =>
  headings.length < 2 ? null : (
    <nav aria-labelledby="contents">
      <p id="contents">On this page</p>
      <Links headings={headings} />
    </nav>
  );

const Links = ({ headings }: { headings: readonly Heading[] }) => (
  <ul>
    {headings.map(({ id, text, level }) => (
      <li key={id} className={`level-${level}`}>
        <a href={`#${id}`}>{text}</a>
      </li>
    ))}
  </ul>
);
