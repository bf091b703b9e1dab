import type { MailStyle } from '#domain/mail-style.ts';
import { escapeHtml } from './escape-html.ts';

type Page = {
  body: string;
  title: string;
  style: MailStyle;
  company: string;
  /** The picture and name at the head of the mail, where the plan includes them. */
  brand: { name: string; logo: string | null } | null;
  /** The URL of the page on which the recipient unsubscribes. */
  unsubscribe: string | null;
  /** Why the recipient cannot unsubscribe. */
  reason?: string | null;
};

const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%"';
const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const line = '#9ca3af';

/**
 * The page of a mail: tables and inline styles, because mail programs know little else. It has no colours of text and
 * background, and says that it fits a dark scheme, so that the mail program's own are used.
 */
export function mailPage({ body, title, style, company, brand, unsubscribe, reason = null }: Page): string {
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:0;color-scheme:light dark">
<table ${table}><tr><td align="center" style="padding:24px 16px">
<table ${table} style="max-width:600px">
${head({ brand, color: style.color })}<tr><td dir="auto" align="left" style="padding:24px 0 8px;${font};font-size:16px;line-height:1.5;word-break:break-word">
${body}
</td></tr>
${foot({ lines: [company, style.postalLine, reason ?? ''], unsubscribe })}</table>
</td></tr></table>
</body></html>`;
}

/** The head of the page. Mail programs that show no pictures show the name alone. */
function head({ brand, color }: { brand: Page['brand']; color: string | null }): string {
  if (brand === null) {
    return color === null
      ? ''
      : `<tr><td style="height:3px;line-height:3px;font-size:0;background-color:${escapeHtml(color)}">&nbsp;</td></tr>\n`;
  }
  const logo =
    brand.logo === null
      ? ''
      : `<img src="${escapeHtml(brand.logo)}" alt="" height="40" style="height:40px;border:0;vertical-align:middle;margin-right:12px">`;
  const border = color === null ? `1px solid ${line}` : `3px solid ${escapeHtml(color)}`;
  return `<tr><td dir="auto" align="left" style="padding:0 0 16px;border-bottom:${border};${font};font-size:18px;line-height:40px">${logo}<strong>${escapeHtml(brand.name)}</strong></td></tr>\n`;
}

function foot({ lines, unsubscribe }: { lines: readonly string[]; unsubscribe: string | null }): string {
  const written = [
    ...lines.filter((one) => one.trim() !== '').map(escapeHtml),
    ...(unsubscribe === null ? [] : [`<a href="${escapeHtml(unsubscribe)}" style="color:inherit">Unsubscribe</a>`]),
  ];
  return written.length === 0
    ? ''
    : `<tr><td dir="auto" align="left" style="padding:16px 0 0;border-top:1px solid ${line};${font};font-size:13px;line-height:1.6">${written.join('<br>\n')}</td></tr>\n`;
}
