/**
 * Serves untrusted HTML for a sandboxed frame of our own page. Nothing in it may run, load, submit or read our origin,
 * also when it is opened in a tab of its own. Its links may be followed, in new tabs without the sandbox.
 */
export const untrustedHtml = (html: string): Response =>
  new Response(linksInNewTabs + html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
      'x-frame-options': 'SAMEORIGIN',
      'cache-control': 'no-store',
    },
  });

/** Links open in a new tab, the only way out of the frame. The first `base` of a document counts, so the mail cannot change it. */
const linksInNewTabs = '<!doctype html><base target="_blank">';
