import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import base from './base.css?inline';
import { slot, whenElement } from './slots.ts';

export type Document = {
  path: string;
  /** For whom the document is: people who are signed in may get another one at the same path. */
  readers: 'all' | 'signed-in' | 'signed-out';
  title: string;
  description: string;
  /** The CSS of this page, besides the common rules. */
  css: string;
  /** The URL of its script; null for none. */
  script: string | null;
  body: ReactNode;
};

/** A page as a whole document, with slots for what only an installation knows. */
export async function drawDocument(
  { title, description, path, css, script, body }: Document,
  font: string,
): Promise<string> {
  const { prelude } = await prerender(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#121c1f" media="(prefers-color-scheme: dark)" />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content="Cuebird" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/icons/180.png" />
        <link rel="manifest" href="/manifest.json" />
        <link rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
        <script src="/theme.js" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own file */}
        <style dangerouslySetInnerHTML={{ __html: typeface(font) + base + css }} />
      </head>
      <body>
        <a className="skip" href="#main">
          Skip to the content
        </a>
        {body}
        {script !== null && <script type="module" src={script} />}
      </body>
    </html>,
  );
  const page = await new Response(prelude).text();
  return page.replace('</head>', () => `<${whenElement} name="appUrl">${addressTags(path)}</${whenElement}></head>`);
}

/** Until the file is there, the system's typeface is drawn in the same measures, so that no line moves. */
const typeface = (url: string) => `
@font-face { font-family: "Inter Variable"; font-weight: 400 700; font-display: swap; src: url(${url}) format("woff2"); }
@font-face { font-family: "Inter fallback"; src: local("Arial"), local("Liberation Sans"), local("Roboto"); size-adjust: 107%; ascent-override: 90%; descent-override: 22.5%; line-gap-override: 0%; }
`;

/** As text, because React would move these elements out of the ones around them. */
const addressTags = (path: string) =>
  [
    `<link rel="canonical" href="${slot('appUrl')}${path}"/>`,
    `<meta property="og:url" content="${slot('appUrl')}${path}"/>`,
    `<meta property="og:image" content="${slot('appUrl')}/social-card.jpg"/>`,
    '<meta property="og:image:width" content="1200"/>',
    '<meta property="og:image:height" content="630"/>',
    '<meta name="twitter:card" content="summary_large_image"/>',
  ].join('');
