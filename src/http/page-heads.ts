import { escapeHtml } from '#http/html.ts';

type Page = { title: string; description: string };

/** The screens that people without an account and search engines may open, besides the pages that the build draws. */
const publicPages: Record<string, Page> = {
  '/auth': { title: 'Sign in', description: 'Sign in to Cuebird, or create an account: reminders for teams.' },
  '/api-docs': {
    title: 'API Documentation',
    description: 'Every endpoint of the Cuebird API, with requests that run as shown, and a quick start.',
  },
};

/**
 * The page as a public screen: with its title, description, canonical address and social card. Other screens stay as they are.
 * @param options.appUrl where people reach Cuebird; without it no address is named
 */
export function withHead(page: string, { path, appUrl }: { path: string; appUrl: string | undefined }): string {
  const found = publicPages[path];
  if (found === undefined) return page;
  const title = escapeHtml(`${found.title} · Cuebird`);
  const description = escapeHtml(found.description);
  const base = escapeHtml(appUrl?.replace(/\/$/, '') ?? '');
  const tags = [
    `<meta property="og:type" content="website">`,
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${description}">`,
    ...(appUrl === undefined
      ? []
      : [
          `<link rel="canonical" href="${base}${path}">`,
          `<meta property="og:url" content="${base}${path}">`,
          `<meta property="og:image" content="${base}/social-card.jpg">`,
          `<meta name="twitter:card" content="summary_large_image">`,
        ]),
  ];
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>`)
    .replace(
      /<meta name="description" content="[^"<>]*" ?\/?>/,
      () => `<meta name="description" content="${description}">`,
    )
    .replace('</head>', () => `${tags.join('')}</head>`);
}
