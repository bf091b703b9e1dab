import type { CDPSession, Page } from 'playwright-core';

/** What becomes of a request that was stopped. */
type Outcome = (session: CDPSession, requestId: string) => Promise<unknown>;

type Interception = { session: CDPSession; outcomes: Map<string, Outcome> };

const interceptions = new WeakMap<Page, Promise<Interception>>();

/**
 * Stops what a page asks for at a path, whatever the query, until `allowRequests` or `endInterception`. By the protocol: a route of Playwright stops
 * every request of the page and turns its cache off, so that a page takes nearly twice as long to load.
 */
export async function stopRequests(page: Page, { path, outcome }: { path: string; outcome: Outcome }): Promise<void> {
  if (!interceptions.has(page)) interceptions.set(page, begin(page));
  const interception = await interceptions.get(page);
  interception?.outcomes.set(path, outcome);
  if (interception) await applyTo(interception);
}

export async function allowRequests(page: Page, paths: Iterable<string>): Promise<void> {
  const interception = await interceptions.get(page);
  if (interception === undefined) return;
  for (const path of paths) interception.outcomes.delete(path);
  await applyTo(interception);
}

/** Whatever is still held goes on. */
export async function endInterception(page: Page): Promise<void> {
  const interception = await interceptions.get(page);
  interceptions.delete(page);
  await interception?.session.detach();
}

export const letPass: Outcome = (session, requestId) => session.send('Fetch.continueRequest', { requestId });

export const cutOff: Outcome = (session, requestId) =>
  session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });

/** A failure asks the web to try again at once, which it would do in one and in two seconds. */
export const answer =
  (status: number, json: unknown): Outcome =>
  (session, requestId) =>
    session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: status,
      responseHeaders: [
        { name: 'content-type', value: 'application/json' },
        ...(status >= 500 ? [{ name: 'retry-after', value: '0' }] : []),
      ],
      body: Buffer.from(JSON.stringify(json)).toString('base64'),
    });

async function begin(page: Page): Promise<Interception> {
  const session = await page.context().newCDPSession(page);
  const outcomes = new Map<string, Outcome>();
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const outcome = outcomes.get(new URL(request.url).pathname) ?? letPass;
    // The page may have given the request up meanwhile.
    void outcome(session, requestId).catch(() => {});
  });
  return { session, outcomes };
}

async function applyTo({ session, outcomes }: Interception): Promise<void> {
  // A question mark of a pattern is any character, unless escaped.
  const patterns = [...outcomes.keys()].flatMap((path) => [
    { urlPattern: `*://*${path}` },
    { urlPattern: `*://*${path}\\?*` },
  ]);
  await (patterns.length > 0 ? session.send('Fetch.enable', { patterns }) : session.send('Fetch.disable'));
}
