import MarkdownIt, { type Token } from 'markdown-it';
import { hasToken } from './marked-values.ts';
import { safeAddress } from './safe-address.ts';

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'em' | 'strike'; inside: Inline[] }
  | { kind: 'link'; address: string; inside: Inline[] };

export type Block =
  | { kind: 'paragraph'; inside: Inline[] }
  | { kind: 'heading'; level: number; inside: Inline[] }
  /** `start` is the first number; null for bullets. The items of a tight list are written without blank lines. */
  | { kind: 'list'; start: number | null; isTight: boolean; items: Block[][] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'code'; text: string }
  | { kind: 'rule' };

const maxNesting = 40;

const markdown = new MarkdownIt({ html: false, breaks: true, linkify: true, maxNesting });
// Disabled, because people write these without meaning Markdown: dashes below a line, four spaces before one, brackets with a colon.
markdown.disable(['lheading', 'code', 'reference', 'table']);
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
markdown.linkify.add('ftp:', null).add('//', null);
// An address that begins with a value is checked when the value is known.
markdown.validateLink = (address) => hasToken(address.slice(0, 1)) || safeAddress(address) !== null;
markdown.normalizeLink = (address) => address;
markdown.normalizeLinkText = (address) => address;

/** The blocks of a message. What cannot be read as Markdown is a paragraph. */
export function parseMarkdown(source: string): Block[] {
  const tokens = markdown.parse(source, {});
  // Too deep for the parser, which would leave text out.
  if (tokens.some(({ level }) => level >= maxNesting - 1)) return [asWritten(source)];
  return blocksOf(tokens);
}

const asWritten = (source: string): Block => ({
  kind: 'paragraph',
  inside: source
    .split('\n')
    .flatMap((text, at): Inline[] => [...(at === 0 ? [] : [lineBreak]), { kind: 'text', text }]),
});

const lineBreak: Inline = { kind: 'break' };

type OpenList = Extract<Block, { kind: 'list' }>;

function blocksOf(tokens: readonly Token[]): Block[] {
  const root: Block[] = [];
  const containers: Block[][] = [root];
  const lists: OpenList[] = [];
  let heading = 0;
  const add = (block: Block) => containers.at(-1)?.push(block);
  for (const token of tokens) {
    switch (token.type) {
      case 'bullet_list_open':
      case 'ordered_list_open': {
        const start = token.type === 'ordered_list_open' ? Number(token.attrGet('start') ?? 1) : null;
        const list: OpenList = { kind: 'list', start, isTight: false, items: [] };
        add(list);
        lists.push(list);
        break;
      }
      case 'bullet_list_close':
      case 'ordered_list_close':
        lists.pop();
        break;
      case 'list_item_open': {
        const item: Block[] = [];
        lists.at(-1)?.items.push(item);
        containers.push(item);
        break;
      }
      case 'blockquote_open': {
        const blocks: Block[] = [];
        add({ kind: 'quote', blocks });
        containers.push(blocks);
        break;
      }
      case 'list_item_close':
      case 'blockquote_close':
        containers.pop();
        break;
      case 'heading_open':
        heading = Number(token.tag.slice(1));
        break;
      case 'paragraph_open': {
        heading = 0;
        const list = lists.at(-1);
        if (token.hidden && list !== undefined) list.isTight = true;
        break;
      }
      case 'inline': {
        const inside = inlineOf(token.children ?? []);
        add(heading > 0 ? { kind: 'heading', level: heading, inside } : { kind: 'paragraph', inside });
        break;
      }
      case 'fence':
        add({ kind: 'code', text: token.content.replace(/\n$/, '') });
        break;
      case 'hr':
        add({ kind: 'rule' });
        break;
    }
  }
  return root;
}

const spans = { strong_open: 'strong', em_open: 'em', s_open: 'strike' } as const;
const isSpan = (type: string): type is keyof typeof spans => type in spans;

function inlineOf(tokens: readonly Token[]): Inline[] {
  const root: Inline[] = [];
  const containers: Inline[][] = [root];
  let links = 0;
  const add = (inline: Inline) => containers.at(-1)?.push(inline);
  const open = (inline: Extract<Inline, { inside: Inline[] }>) => {
    add(inline);
    containers.push(inline.inside);
  };
  for (const token of tokens) {
    const { type } = token;
    if (isSpan(type)) open({ kind: spans[type], inside: [] });
    else if (type === 'link_open') {
      open({ kind: 'link', address: String(token.attrGet('href') ?? ''), inside: [] });
      links += 1;
    } else if (type === 'link_close') {
      containers.pop();
      links -= 1;
    } else if (type.endsWith('_close')) containers.pop();
    else if (type === 'softbreak' || type === 'hardbreak') add(lineBreak);
    else if (type === 'code_inline') add({ kind: 'code', text: token.content });
    else if (type === 'image') add(pictureOf(token, { isInLink: links > 0 }));
    else if (token.content !== '') add({ kind: 'text', text: token.content });
  }
  return root;
}

/** A picture becomes a link to it, because a message loads nothing from elsewhere. */
function pictureOf(token: Token, { isInLink }: { isInLink: boolean }): Inline {
  const address = String(token.attrGet('src') ?? '');
  const text: Inline = { kind: 'text', text: token.content || address };
  return isInLink ? text : { kind: 'link', address, inside: [text] };
}
