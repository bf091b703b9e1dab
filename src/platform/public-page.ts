import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';

/** HTML that is escaped: each value of a template is text, unless it is such HTML itself. */
type Html = Awaited<ReturnType<typeof html>>;

export type PageRequest = { params: Record<string, string>; request: Request; clientAddress: string };

/**
 * A page that people open without an account. It is drawn for each visitor, and its forms need no script. What it throws is answered as a page, too.
 */
export type PublicPage = {
  path: `/${string}`;
  /** Whose name a refusal has, in place of Cuebird's; null where that is not known. */
  brandOf: (params: Record<string, string>) => Promise<PageParts['brand'] | null>;
  /** Answers GET and HEAD, which change nothing: programs open the links in messages. */
  show: (of: PageRequest) => Promise<Response>;
  /** Answers POST. */
  act: (of: PageRequest & { fields: URLSearchParams }) => Promise<Response>;
};

export type PageParts = {
  title: string;
  /** Whose page it is, in place of Cuebird's. */
  brand?: { name: string; logo: string | null } | null;
  /** What stands in the card. */
  body: Html | Promise<Html>;
  status?: number;
  headers?: Record<string, string>;
};

/** The page: the sender's or Cuebird's name, and one card. */
export async function publicPage({
  title,
  brand = null,
  body,
  status = 200,
  headers = {},
}: PageParts): Promise<Response> {
  const { css, policy } = (style ??= readStyle());
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · ${brand?.name ?? 'Cuebird'}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${raw(css)}</style>
</head>
<body>
<main class="public">
<p class="sender">${brand === null ? html`<img src="/favicon.svg" alt=""><strong>Cuebird</strong>` : html`${brand.logo !== null && html`<img src="${brand.logo}" alt="">`}<strong>${brand.name}</strong>`}</p>
<div class="card">${body}</div>
</main>
</body>
</html>
`;
  return new Response(page.toString(), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy,
      ...headers,
    },
  });
}

/** A refusal as a page. */
export const refusedPage = ({
  title,
  text,
  ...parts
}: { title: string; text: string } & Pick<PageParts, 'status' | 'headers' | 'brand'>) =>
  publicPage({ ...parts, title, body: html`<h1>${title}</h1><p role="alert">${text}</p>` });

let style: { css: string; policy: string } | undefined;

/** The looks of the pages of the build, and a policy that allows them and no script. */
function readStyle() {
  const css = [
    typeface(),
    ...['base.css', 'public-page.css'].map((file) =>
      readFileSync(new URL(`../pages/${file}`, import.meta.url), 'utf8'),
    ),
  ].join('\n');
  const hash = createHash('sha256').update(css).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "img-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { css, policy };
}

const assets = new URL('../../dist/web/assets/', import.meta.url);

/** The typeface of the pages of the build; without a build the system's. */
function typeface(): string {
  const file = filesIn(assets).find((name) => /^inter-[\da-f]{8}\.woff2$/.test(name));
  if (file === undefined) return '';
  return `@font-face { font-family: "Inter Variable"; font-weight: 400 700; font-display: swap; src: url(/assets/${file}) format("woff2"); }`;
}

function filesIn(folder: URL): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
