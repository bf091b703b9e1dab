// The service worker of every screen. It stores nothing, neither files nor answers: what a screen shows comes from the server.

self.addEventListener('install', (event) => {
  self.skipWaiting();
  // Where the browser can, it does not even ask this worker about them.
  if (typeof event.addRoutes === 'function' && 'URLPattern' in self)
    event.waitUntil(
      event
        .addRoutes(
          ['/api/*', '/assets/*'].map((pathname) => ({
            condition: { urlPattern: new URLPattern({ pathname }) },
            source: 'network',
          })),
        )
        .catch(() => {}),
    );
});

self.addEventListener('activate', (event) => {
  // The request of a page does not wait for this worker to start.
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener('fetch', (event) => {
  const { mode, destination, method, url } = event.request;
  const isPage = mode === 'navigate' && destination === 'document' && method === 'GET';
  if (isPage && !new URL(url).pathname.startsWith('/api/')) event.respondWith(load(event));
});

async function load({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return unreachable();
  }
}

/** The page in place of every other one; the same address is asked for again as soon as the server answers. */
function unreachable() {
  const nonce = self.crypto.randomUUID();
  return new Response(page.replaceAll('%nonce%', nonce), {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
    },
  });
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not reachable · Cuebird</title>
<style nonce="%nonce%">
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.6 "Inter Variable", system-ui, sans-serif; background: light-dark(#f6f8f8, #0c1416); color: light-dark(#14201f, #e6eeed); }
main { max-width: 30rem; padding: 2rem 1.5rem; text-align: center; }
svg { width: 3rem; height: 3rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 1rem 0 .5rem; }
p { margin: 0 0 1.5rem; color: light-dark(#4b5a59, #a3b1b0); }
button { font: inherit; padding: .5rem 1rem; border: 1px solid currentcolor; border-radius: 8px; color: light-dark(#0a6c74, #6fcfca); background: none; cursor: pointer; }
</style>
</head>
<body>
<main>
<svg viewBox="0 0 32 32" aria-hidden="true"><path fill="#0a6c74" d="M2 29V14A12 12 0 0 1 26 14A12 12 0 0 1 14 26H9Z"/><path fill="#6fcfca" d="M2 29V18A9 9 0 0 1 11 18A8 8 0 0 1 9 26Z"/><path fill="#f08a3c" d="M25.4 9.5L32 14L25.4 18.5Z"/><circle cx="18" cy="11.5" r="2.4" fill="#fff"/></svg>
<h1>Cuebird cannot be reached</h1>
<p>What is due is sent as soon as the server runs. This page comes back by itself.</p>
<button type="button">Try again</button>
</main>
<script nonce="%nonce%">
try {
  const theme = localStorage.getItem('cuebird.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;
} catch {}
if (!navigator.onLine) {
  document.title = 'Offline · Cuebird';
  document.querySelector('h1').textContent = 'You are offline';
  document.querySelector('p').textContent = 'Reminders are sent by the server: none of them waits for this device. This page comes back by itself.';
}
const comeBack = () => fetch('/api/health', { cache: 'no-store' }).then(() => location.reload(), () => {});
addEventListener('online', comeBack);
setInterval(comeBack, 5000);
document.querySelector('button').addEventListener('click', () => location.reload());
</script>
</body>
</html>
`;

self.addEventListener('push', (event) => {
  event.waitUntil(show(readable(event.data)));
});

/** Whatever comes, the browser wants to see a notification. */
function show({ title, body, tag, job_id: job, workspace_id: workspace }) {
  return self.registration.showNotification(textOf(title) || 'Cuebird', {
    body: textOf(body),
    tag: textOf(tag),
    icon: '/icons/192.png',
    badge: '/icons/badge.png',
    data: { job: isId(job) ? job : null, workspace: isId(workspace) ? workspace : null },
  });
}

function readable(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

const textOf = (value) => (typeof value === 'string' ? value : '');
const isId = (value) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(textOf(value));

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renew(event));
});

/**
 * The push service has given this browser another address. Each workspace that knows the old one as this person's gets the new one. A browser
 * that does not say which address it had is subscribed again by hand.
 */
async function renew({ oldSubscription: before, newSubscription: given }) {
  if (!before) return;
  const subscription = given ?? (await self.registration.pushManager.subscribe(before.options));
  const { data: workspaces } = await ask('GET', '/api/workspaces');
  // Another workspace may be closed.
  for (const { id: workspace } of workspaces)
    await move(subscription, { workspace, from: before.endpoint }).catch(() => {});
}

async function move(subscription, { workspace, from: endpoint }) {
  const path = '/api/push-browsers';
  const { data: known } = await ask('GET', path, { workspace });
  if (!known.some((one) => one.endpoint === endpoint)) return;
  await ask('POST', path, { workspace, body: subscription });
  if (endpoint !== subscription.endpoint) await ask('DELETE', path, { workspace, body: { endpoint } });
}

async function ask(method, path, { workspace, body } = {}) {
  const init = { method, headers: workspace ? { 'x-workspace-id': workspace } : {} };
  if (body) {
    init.headers['content-type'] = 'application/json';
    init.body = JSON.stringify(body);
  }
  const response = await fetch(path, init);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data ?? {}));
});

/** In a window of its own, since another one may hold what is not saved; where one shows the job, that one. */
async function open({ job, workspace }) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find((one) => job && new URL(one.url).searchParams.get('job') === job);
  if (shown) return shown.focus();
  const search = new URLSearchParams({ ...(job && { job }), ...(workspace && { workspace_id: workspace }) });
  return self.clients.openWindow(job ? `/jobs?${search}` : `/dashboard?${search}`);
}
