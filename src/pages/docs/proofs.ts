import type { StateCore, Token } from 'markdown-it';

/** Marks tests that a text cites, as `file`: “sentence”, “another”, with the brackets or the full stop around them: pages hide them until they are asked for. */
export function markProofs({ tokens, Token: TokenOf }: StateCore): void {
  const make = (type: string, content: string): Token => {
    const token = new TokenOf(type, '', 0);
    token.content = content;
    token.meta = { isProof: true };
    return token;
  };
  for (const block of tokens) {
    if (!block.children?.some(isCited)) continue;
    const children = [...block.children];
    const marked: Token[] = [];
    for (let at = 0; at < children.length; at += 1) {
      const token = children[at];
      if (token === undefined) continue;
      if (!isCited(token)) {
        marked.push(token);
        continue;
      }
      const before = marked.at(-1);
      const opening = before?.type === 'text' ? openingOf(before.content) : '';
      if (before?.type === 'text') before.content = before.content.slice(0, before.content.length - opening.length);
      marked.push(make('html_inline', '<span class="proof">'), make('text', opening));
      for (let cited: Token | undefined = token; cited !== undefined; ) {
        cited.meta = { isProof: true };
        const after = children[at + 1];
        const words = after?.type === 'text' ? after.content : '';
        const length = citedLength(words);
        const rest = words.slice(length);
        const other: Token | undefined = rest === '; ' ? children[at + 2] : undefined;
        const isFollowed = other !== undefined && isCited(other);
        const end = isFollowed ? rest : closingOf(rest, opening);
        marked.push(cited, make('text', words.slice(0, length) + end));
        if (after?.type === 'text') after.content = rest.slice(end.length);
        if (isFollowed) at += 2;
        cited = isFollowed ? other : undefined;
      }
      marked.push(make('html_inline', '</span>'));
    }
    block.children = marked;
  }
}

export const isProof = ({ meta }: Token): boolean => meta?.isProof === true;

const isCited = ({ type, content }: Token): boolean =>
  type === 'code_inline' && content.endsWith('.test.ts') && /^(src|e2e|simulation)\//.test(content);

const openingOf = (text: string): string => [' (', '(', ' '].find((end) => text.endsWith(end)) ?? '';

function closingOf(rest: string, opening: string): string {
  const closing = opening.endsWith('(') ? ')' : '.';
  return rest.startsWith(closing) ? closing : '';
}

/** The length of the cited sentences after a file: `: “one”, “two”`. */
function citedLength(text: string): number {
  let length = 0;
  for (let at = text.startsWith(': “') ? 2 : text.length; text[at] === '“'; at = length + 2) {
    const end = text.indexOf('”', at);
    if (end < 0) break;
    length = end + 1;
    if (!text.startsWith(', “', length)) break;
  }
  return length;
}
