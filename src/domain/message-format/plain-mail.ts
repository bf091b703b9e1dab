import { webAddresses } from '#domain/web-addresses.ts';
import { escapeHtml } from './escape-html.ts';

/** The page of a mail from plain text, with links. */
export function mailHtml(
  text: string,
  { header = '', footer = '' }: { header?: string; footer?: string } = {},
): string {
  const body = text.split(/\r?\n/).map(withLinks).join('<br>\n');
  return `<!doctype html>
<html><head><meta charset="utf-8"></head>
<body style="font-family: sans-serif; font-size: 16px; line-height: 1.5">
${header}<p>${body}</p>
${footer}</body></html>`;
}

const withLinks = (line: string) =>
  line.includes('://')
    ? line
        .split(webAddresses)
        .map((part, at) => (at % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`))
        .join('')
    : escapeHtml(line);
