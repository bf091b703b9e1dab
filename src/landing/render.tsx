import { prerender } from 'react-dom/static';
import css from './landing.css?inline';
import { LandingPage, type LandingProps } from './LandingPage.tsx';
import { slot, whenElement } from './slots.ts';

const title = 'Reminders for teams: Never Miss a Thing · Cuebird';
const description =
  'Write a reminder once: Cuebird delivers it on time over email, SMS, WhatsApp, Slack, push and webhooks, to everybody, and can prove it.';

/**
 * The landing page as a whole document, with slots for what only an installation knows.
 * @param page.script the address of its script
 */
export async function drawLanding({ script, ...props }: LandingProps & { script: string }): Promise<string> {
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
        <script src="/theme.js" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own file */}
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>
        <LandingPage {...props} />
        <script type="module" src={script} />
      </body>
    </html>,
  );
  const page = await new Response(prelude).text();
  return page.replace('</head>', `<${whenElement} name="appUrl">${addressTags}</${whenElement}></head>`);
}

/** As text: React takes what belongs to the head out of every element around it. */
const addressTags = [
  `<link rel="canonical" href="${slot('appUrl')}/"/>`,
  `<meta property="og:url" content="${slot('appUrl')}/"/>`,
  `<meta property="og:image" content="${slot('appUrl')}/social-card.jpg"/>`,
  '<meta property="og:image:width" content="1200"/>',
  '<meta property="og:image:height" content="630"/>',
  '<meta name="twitter:card" content="summary_large_image"/>',
].join('');
