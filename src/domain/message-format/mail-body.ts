import { webAddresses } from '#domain/web-addresses.ts';
import { escapeHtml } from './escape-html.ts';
import type { Block, Inline } from './markdown.ts';
import { hasToken } from './marked-values.ts';
import { inBrackets, safeAddress } from './safe-address.ts';
import type { Notation, Writer } from './writer.ts';

/** The HTML of mails. Web addresses in text become links, also within values. */
export const mailNotation: Notation = {
  text(text, context) {
    switch (context) {
      case 'text':
        return withLineBreaks(withLinks(text));
      case 'label':
        return withLineBreaks(escapeHtml(text));
      case 'code':
        return escapeHtml(text);
      default:
        return context satisfies never;
    }
  },
  linkStart(written) {
    const address = safeAddress(written);
    return address === null ? '' : `<a href="${escapeHtml(address)}">`;
  },
  linkEnd: (written) => (safeAddress(written) === null ? escapeHtml(inBrackets(written)) : '</a>'),
};

const withLineBreaks = (html: string) => html.replace(/\r?\n/g, '<br>\n');

const withLinks = (text: string) =>
  text.includes('://')
    ? text
        .split(webAddresses)
        .map((part, at) => (at % 2 === 0 ? escapeHtml(part) : addressHtml(part)))
        .join('')
    : escapeHtml(text);

function addressHtml(written: string): string {
  const address = hasToken(written) ? null : safeAddress(written);
  const text = escapeHtml(written);
  return address === null ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
}

const line = '#9ca3af';
const code = 'font-family:Menlo,Consolas,monospace;font-size:14px';
const styles = {
  paragraph: 'margin:0 0 16px',
  headings: ['margin:0 0 12px;font-size:24px;line-height:1.3', 'margin:0 0 12px;font-size:20px;line-height:1.3'],
  lesserHeading: 'margin:0 0 12px;font-size:17px;line-height:1.3',
  list: 'margin:0 0 16px;padding:0 0 0 24px',
  innerList: 'margin:4px 0 0;padding:0 0 0 24px',
  item: 'margin:0 0 4px',
  quote: `margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid ${line}`,
  fence: `margin:0 0 16px;padding:12px;border:1px solid ${line};border-radius:6px;${code};white-space:pre-wrap`,
  rule: `margin:0 0 16px;border:0;border-top:1px solid ${line}`,
};

/** The body of a mail. It names no colour of a text or its background, so that it is legible in a dark mail program. */
export const mailBody = (blocks: readonly Block[], writer: Writer): string =>
  blocks.map((block) => blockHtml(block, writer)).join('\n');

function blockHtml(block: Block, writer: Writer): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p style="${styles.paragraph}">${inlineHtml(block.inside, writer)}</p>`;
    case 'heading': {
      const style = styles.headings[block.level - 1] ?? styles.lesserHeading;
      const tag = `h${Math.min(block.level, 3)}`;
      return `<${tag} style="${style}">${inlineHtml(block.inside, writer)}</${tag}>`;
    }
    case 'list':
      return listHtml(block, { style: styles.list, writer });
    case 'quote':
      return `<blockquote style="${styles.quote}">${mailBody(block.blocks, writer)}</blockquote>`;
    case 'code':
      return `<pre style="${styles.fence}">${writer.text(block.text, 'code')}</pre>`;
    case 'rule':
      return `<hr style="${styles.rule}">`;
    default:
      return block satisfies never;
  }
}

type List = Extract<Block, { kind: 'list' }>;

function listHtml({ start, items, isTight }: List, { style, writer }: { style: string; writer: Writer }): string {
  const tag = start === null ? 'ul' : 'ol';
  const from = start === null || start === 1 ? '' : ` start="${start}"`;
  const written = items.map((blocks) => {
    const item = isTight ? tightItem(blocks, writer) : mailBody(blocks, writer);
    return `<li style="${styles.item}">${item}</li>`;
  });
  return `<${tag}${from} style="${style}">\n${written.join('\n')}\n</${tag}>`;
}

/** In a tight list the text of an item is not a paragraph. */
const tightItem = (blocks: readonly Block[], writer: Writer): string =>
  blocks
    .map((block) => {
      if (block.kind === 'paragraph') return inlineHtml(block.inside, writer);
      return block.kind === 'list' ? listHtml(block, { style: styles.innerList, writer }) : blockHtml(block, writer);
    })
    .join('\n');

const tags = { strong: 'strong', em: 'em', strike: 's' } as const;

const inlineHtml = (inlines: readonly Inline[], writer: Writer, isLabel = false): string =>
  inlines
    .map((inline) => {
      switch (inline.kind) {
        case 'text':
          return writer.text(inline.text, isLabel ? 'label' : 'text');
        case 'code':
          return `<code style="${code}">${writer.text(inline.text, 'code')}</code>`;
        case 'break':
          return '<br>\n';
        case 'strong':
        case 'em':
        case 'strike': {
          const tag = tags[inline.kind];
          return `<${tag}>${inlineHtml(inline.inside, writer, isLabel)}</${tag}>`;
        }
        case 'link':
          return writer.link(inline, inlineHtml(inline.inside, writer, true));
        default:
          return inline satisfies never;
      }
    })
    .join('');
