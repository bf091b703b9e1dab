import MarkdownIt, { type RendererRule, type Token } from 'markdown-it';
import { docsPages, docsPath } from '#contract/docs-pages.ts';
import { isProof, markProofs } from './proofs.ts';

export type Heading = { level: number; id: string; text: string };

/** The text below one heading, without formatting. */
export type DocsSection = { heading: Heading | null; text: string };

export type RenderedPage = {
  /** The file's first heading, which is not part of the html. */
  title: string;
  html: string;
  headings: readonly Heading[];
  sections: readonly DocsSection[];
  /** Whether the page cites tests. */
  hasProofs: boolean;
};

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
markdown.core.ruler.push('proofs', markProofs);

/** A file of `docs/` as a page: links lead to pages, headings have anchors, pictures come in both schemes. */
export function renderMarkdown(text: string): RenderedPage {
  const tokens = markdown.parse(text, {});
  const ids = headingIds();
  const headings: Heading[] = [];
  const sections: { heading: Heading | null; text: string }[] = [{ heading: null, text: '' }];
  let title = '';
  const shown: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const content = tokens[at + 1];
    if (token?.type === 'heading_open' && content !== undefined) {
      const text = plainText(content);
      const heading = { level: Number(token.tag.slice(1)), id: ids(text), text };
      if (heading.level === 1) {
        title = heading.text;
        at += 2;
        continue;
      }
      token.attrSet('id', heading.id);
      headings.push(heading);
      sections.push({ heading, text: '' });
      at += 1;
      shown.push(token, content);
      continue;
    }
    if (token === undefined) continue;
    if (token.type === 'inline') leadToPages(token);
    const last = sections.at(-1);
    if (last !== undefined && token.content !== '') last.text += `${plainText(token)} `;
    shown.push(token);
  }
  const html = markdown.renderer.render(shown, markdown.options, {});
  return { title, html, headings, sections, hasProofs: html.includes('<span class="proof">') };
}

/** Returns the id of each heading in turn, in the form that sites for Markdown files use. */
export function headingIds(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const base = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(base) ?? 0;
    seen.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
}

/**
 * Where a link of a file in `docs/` leads on the pages.
 * @returns null where the file is no page: its words stay without the link
 */
export function pageAddress(href: string): string | null {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const page = docsPages.find(({ name }) => file === `${name}.md`);
  return page === undefined ? null : `${docsPath(page.name)}${anchor === undefined ? '' : `#${anchor}`}`;
}

function leadToPages({ children }: Token): void {
  let isDropped = false;
  for (const token of children ?? []) {
    if (token.type === 'link_open') {
      const address = pageAddress(String(token.attrGet('href') ?? ''));
      isDropped = address === null;
      if (address !== null) token.attrSet('href', address);
    }
    // A link to a file without a page: both its ends are removed.
    if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) {
      isDropped = token.type === 'link_open';
      token.type = 'text';
      token.nesting = 0;
      token.content = '';
    }
  }
}

const plainText = (token: Token | undefined): string =>
  token?.children
    ?.filter((child) => !isProof(child))
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('') ??
  token?.content ??
  '';

const attribute = (text: string) => markdown.utils.escapeHtml(text);

const rules: Record<string, RendererRule> = {
  // A heading leads to itself, so that its address can be copied.
  heading_open: (tokens, at) => {
    const id = String(tokens[at]?.attrGet('id') ?? '');
    return `<${tokens[at]?.tag} id="${id}"><a class="anchor" href="#${id}">`;
  },
  heading_close: (tokens, at) => `</a></${tokens[at]?.tag}>`,
  // A wide one scrolls by itself, also by the keyboard.
  table_open: () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>',
  // More rows would change the widths of the columns, so a table is shown once its end has arrived.
  table_close: () => '</table><span class="table-end" hidden></span></div>',
  fence: (tokens, at) => `<pre tabindex="0"><code>${attribute(tokens[at]?.content ?? '')}</code></pre>`,
  image(tokens, at) {
    const token = tokens[at];
    const file =
      String(token?.attrGet('src') ?? '')
        .split('/')
        .at(-1) ?? '';
    const name = file.replace('.light.webp', '');
    return picture({ name, alt: token?.content ?? '' });
  },
};
Object.assign(markdown.renderer.rules, rules);

/** A picture in both schemes, of which the browser shows and loads one. */
const picture = ({ name, alt }: { name: string; alt: string }): string =>
  ['light', 'dark']
    .map(
      (scheme) =>
        `<img class="only-${scheme}" src="/pictures/${name}.${scheme}.webp" width="1200" height="750" alt="${attribute(alt)}" loading="lazy" decoding="async">`,
    )
    .join('');
