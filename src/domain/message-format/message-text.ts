import type { Block, Inline } from './markdown.ts';
import { inBrackets, safeAddress } from './safe-address.ts';
import { escapeSlack, withMentions } from './slack-mentions.ts';
import type { Notation, Writer } from './writer.ts';

/** The marks of a text format; blank marks leave the text alone. */
type Marks = { strong: string; em: string; strike: string; code: string; bullet: string };

/** A text message: how it writes text and links, and its marks. */
export type TextNotation = Notation & { marks: Marks };

/** Writes the address after the text of a link, unless both are the same. */
const addressBehind = (written: string, label: string) => {
  const shown = written.replace(/^(?:mailto|tel):/, '');
  return shown === label || written === label ? '' : inBrackets(shown);
};

const asItIs: Notation = { text: (text) => text, linkStart: () => '', linkEnd: addressBehind };

/** Text without marks: for SMS, push, and the text part of a mail. */
export const wordsNotation: TextNotation = {
  ...asItIs,
  marks: { strong: '', em: '', strike: '', code: '', bullet: '-' },
};

/** The marks of WhatsApp (faq.whatsapp.com, "How to format your messages"). */
export const whatsappNotation: TextNotation = {
  ...asItIs,
  marks: { strong: '*', em: '_', strike: '~', code: '`', bullet: '-' },
};

const slackAddress = (written: string) => safeAddress(written)?.replaceAll('|', '%7C').replaceAll('>', '%3E');

/** Slack's mrkdwn (docs.slack.dev, "Formatting message text"). */
export const slackNotation: TextNotation = {
  text: escapeSlack,
  authored: withMentions,
  linkStart(written) {
    const address = slackAddress(written);
    return address === undefined ? '' : `<${escapeSlack(address)}|`;
  },
  linkEnd: (written) => (slackAddress(written) === undefined ? escapeSlack(inBrackets(written)) : '>'),
  marks: { strong: '*', em: '_', strike: '~', code: '`', bullet: '•' },
};

type To = { writer: Writer; marks: Marks };

/** The message as a text with the marks of its kind. */
export const messageText = (blocks: readonly Block[], to: To): string =>
  blocks.map((block) => blockText(block, to)).join('\n\n');

function blockText(block: Block, to: To): string {
  switch (block.kind) {
    case 'paragraph':
      return inlineText(block.inside, to);
    case 'heading': {
      const text = inlineText(block.inside, { ...to, marks: { ...to.marks, strong: '' } });
      return to.marks.strong + text + to.marks.strong;
    }
    case 'list':
      return listText(block, to);
    case 'quote':
      return indented(messageText(block.blocks, to), { first: '> ', rest: '> ' });
    case 'code': {
      const fence = to.marks.code.repeat(3);
      const text = to.writer.text(block.text, 'code');
      return fence === '' ? text : `${fence}\n${text}\n${fence}`;
    }
    case 'rule':
      return '---';
    default:
      return block satisfies never;
  }
}

function listText({ start, isTight, items }: Extract<Block, { kind: 'list' }>, to: To): string {
  const between = isTight ? '\n' : '\n\n';
  const written = items.map((blocks, at) => {
    const first = start === null ? `${to.marks.bullet} ` : `${start + at}. `;
    const text = blocks.map((block) => blockText(block, to)).join(between);
    return indented(text, { first, rest: ' '.repeat(first.length) });
  });
  return written.join(between);
}

const indented = (text: string, { first, rest }: { first: string; rest: string }) =>
  first + text.split('\n').join(`\n${rest}`);

const inlineText = (inlines: readonly Inline[], to: To, isLabel = false): string =>
  inlines
    .map((inline) => {
      switch (inline.kind) {
        case 'text':
          return to.writer.text(inline.text, isLabel ? 'label' : 'text');
        case 'code':
          return to.marks.code + to.writer.text(inline.text, 'code') + to.marks.code;
        case 'break':
          return '\n';
        case 'strong':
        case 'em':
        case 'strike': {
          const mark = to.marks[inline.kind];
          return mark + inlineText(inline.inside, to, isLabel) + mark;
        }
        case 'link':
          return to.writer.link(inline, inlineText(inline.inside, to, true));
        default:
          return inline satisfies never;
      }
    })
    .join('');
