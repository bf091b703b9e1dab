/** The page of a mail for a frame on white: in the light scheme, and with links that open new tabs. */
export const shownMail = (html: string): string =>
  html
    .replace('<head>', '<head><base target="_blank">')
    .replace('name="color-scheme" content="light dark"', 'name="color-scheme" content="light"')
    .replace('color-scheme:light dark', 'color-scheme:light');
