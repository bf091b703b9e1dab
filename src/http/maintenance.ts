import type { MiddlewareHandler } from 'hono';
import type { InstallationSettings } from '#contract/admin-settings.ts';
import type { Route } from '#contract/route.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { bearerOf } from '#http/guard.ts';
import { maintenanceRetrySeconds, UnderMaintenance } from '#platform/errors.ts';

type Deps = { settings: () => InstallationSettings; auth: Pick<Auth, 'sessionOf'> };

/** Throws UnderMaintenance where the installation is closed to the sender of this request. Programs are no administrators. */
export async function assertOpen(
  route: Pick<Route, 'inMaintenance'>,
  { request, deps }: { request: Request; deps: Deps },
): Promise<void> {
  if (!deps.settings().maintenanceMode || route.inMaintenance === true) return;
  if (bearerOf(request) !== null || !(await isAdministrator(deps, request))) throw new UnderMaintenance();
}

/** Answers with a page of its own in place of every screen that is closed; files are no screens. */
export const closedPages =
  (deps: Deps): MiddlewareHandler =>
  async (c, next) => {
    if (!deps.settings().maintenanceMode || isOpenPage(c.req.path) || (await isAdministrator(deps, c.req.raw)))
      return next();
    return c.html(page, 503, {
      'retry-after': String(maintenanceRetrySeconds),
      refresh: String(reloadSeconds),
      'cache-control': 'no-store',
    });
  };

const isAdministrator = async ({ auth }: Deps, { headers }: Request): Promise<boolean> =>
  (await auth.sessionOf(headers))?.isSystemAdmin === true;

/** Sign-in, the console of the administrators, the links to unsubscribe that deliveries bring, help, and what people agreed to. */
const isOpenPage = (path: string): boolean =>
  /^\/(?:auth|admin|setup|unsubscribe|support|privacy|terms)(?:\/|$)/.test(path);

/** After so long the page that stands in for a screen loads itself again. */
const reloadSeconds = 30;

/** Without the web app, whose screens would ask for what is closed. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Under maintenance · Cuebird</title>
<link rel="icon" href="/favicon.svg">
<style>
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.6 "Inter Variable", system-ui, sans-serif; background: light-dark(#f6f8f8, #0c1314); color: light-dark(#14201f, #e6eeed); }
main { max-width: 30rem; padding: 2rem 1.5rem; text-align: center; }
img { width: 3rem; height: 3rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 1rem 0 .5rem; }
p { margin: 0 0 1.5rem; color: light-dark(#4b5a59, #a3b1b0); }
a { color: light-dark(#0b6e6e, #40c4bb); }
nav { display: flex; gap: 1.5rem; justify-content: center; flex-wrap: wrap; }
</style>
</head>
<body>
<main>
<img src="/favicon.svg" alt="">
<h1>Cuebird is under maintenance</h1>
<p>Reminders are still sent, and nothing is lost. This page comes back by itself.</p>
<nav aria-label="What you can do"><a href="">Try again</a><a href="/auth">Sign in as an administrator</a></nav>
</main>
</body>
</html>
`;
