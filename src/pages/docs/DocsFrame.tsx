import type { ReactNode } from 'react';
import { Brand } from '#pages/Brand.tsx';
import { Footer } from '#pages/Footer.tsx';
import { type DocsPage, docsGroups, docsPages, docsPath, tutorials } from '#contract/docs-pages.ts';

type Frame = {
  /** The page that is shown; null for the first page of the documentation. */
  current: DocsPage | null;
  /** The URL of the search index. */
  index: string;
  /** The table of contents, next to the page where there is space for it. */
  contents?: ReactNode;
  children: ReactNode;
};

/** The frame of every page of the documentation. */
export const DocsFrame = ({ current, index, contents, children }: Frame) => (
  <>
    <header className="bar">
      <div className="bar-lines">
        <Brand label="Cuebird" />
        <a className="docs-home" href="/docs">
          Docs
        </a>
        <search className="search" data-index={index} hidden>
          <input
            type="search"
            id="search"
            placeholder="Search"
            aria-label="Search the documentation"
            aria-keyshortcuts="/"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
          />
          <div className="results" hidden>
            <p className="found" role="status" />
            <ul />
          </div>
        </search>
        <div className="bar-actions">
          <a className="button" href="/dashboard">
            Open Cuebird
          </a>
        </div>
      </div>
    </header>
    <div className="docs">
      <nav className="side" aria-label="Pages">
        <PageLinks current={current} />
      </nav>
      <main id="main" className="docs-main">
        <details className="menu">
          <summary>All pages</summary>
          <PageLinks current={current} />
        </details>
        {children}
        {current !== null && <Neighbours current={current} />}
      </main>
      <div className="aside">{contents}</div>
    </div>
    <Footer />
  </>
);

const PageLinks = ({ current }: { current: DocsPage | null }) => (
  <ul>
    {docsGroups.map(({ title, pages }) => (
      <li key={title}>
        <p>{title}</p>
        <ul>
          {pages.map((page) => (
            <PageLink key={page.name} page={page} isCurrent={page === current} />
          ))}
        </ul>
      </li>
    ))}
    <li>
      <p>More</p>
      <ul>
        <PageLink page={tutorials} isCurrent={current === tutorials} />
        <li>
          <a href="/api-docs">API reference</a>
        </li>
        <li>
          <a href="/support">Support</a>
        </li>
      </ul>
    </li>
  </ul>
);

const PageLink = ({ page, isCurrent }: { page: DocsPage; isCurrent: boolean }) => (
  <li>
    <a href={docsPath(page.name)} aria-current={isCurrent ? 'page' : undefined}>
      {page.title}
    </a>
  </li>
);

/** Links to the previous and the next page in reading order, to which the walk-throughs do not belong. */
function Neighbours({ current }: { current: DocsPage }) {
  const at = docsPages.indexOf(current);
  const previous = at > 0 ? docsPages[at - 1] : undefined;
  const next = at >= 0 ? docsPages[at + 1] : undefined;
  if (previous === undefined && next === undefined) return null;
  return (
    <nav className="neighbours" aria-label="Previous and next page">
      {previous && (
        <a rel="prev" href={docsPath(previous.name)}>
          <span>Previous</span>
          {previous.title}
        </a>
      )}
      {next && (
        <a rel="next" className="next" href={docsPath(next.name)}>
          <span>Next</span>
          {next.title}
        </a>
      )}
    </nav>
  );
}
