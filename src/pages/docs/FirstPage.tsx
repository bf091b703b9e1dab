import { DocsFrame } from './DocsFrame.tsx';
import { docsGroups, docsPath, tutorials } from './docs-pages.ts';
import { walks } from './walks/walks.ts';

/** Where people begin: what there is to read, and to watch. */
export const FirstPage = ({ index }: { index: string }) => (
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
