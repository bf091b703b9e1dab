import { DocsFrame } from './DocsFrame.tsx';
import type { DocsPage } from './docs-pages.ts';
import type { Heading, RenderedPage } from './markdown.ts';

type MarkdownPageProps = { page: DocsPage; rendered: RenderedPage; index: string };

/** A page that is written in `docs/`. */
export const MarkdownPage = ({ page, rendered, index }: MarkdownPageProps) => {
  const headings = rendered.headings.filter(({ level }) => level <= 3);
  return (
    <DocsFrame current={page} index={index} contents={<Contents headings={headings} />}>
      <article className="text">
        <h1>{rendered.title}</h1>
        {headings.length > 1 && (
          <details className="contents">
            <summary>On this page</summary>
            <Links headings={headings} />
          </details>
        )}
        {rendered.hasProofs && (
          <label className="proofs">
            <input type="checkbox" /> Show the test that proves each line
          </label>
        )}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered from our own files, in which html is text */}
        <div dangerouslySetInnerHTML={{ __html: rendered.html }} />
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
