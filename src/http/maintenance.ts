import type { MiddlewareHandler } from 'hono';
import type { InstallationSettings } from '#contract/admin-settings.ts';
import type { Route } from '#contract/route.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { bearerOf } from '#http/guard.ts';
import { maintenanceRetrySeconds, UnderMaintenance } from '#platform/errors.ts';

type Deps = { settings: () => InstallationSettings; auth: Pick<Auth, 'sessionOf'> };

/** Throws UnderMaintenance unless the sender is an administrator; API keys never are. */
export async function assertOpen(
  route: Pick<Route, 'inMaintenance'>,
  { request, deps }: { request: Request; deps: Deps },
): Promise<void> {
  if (!deps.settings().maintenanceMode || route.inMaintenance === true) return;
  if (bearerOf(request) !== null || !(await isAdministrator(deps, request))) throw new UnderMaintenance();
}

/** Answers with the maintenance page in place of every closed screen; files are served as usual. */
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

/** Pages that stay open: sign-in, the administrators' console, help, and what people agreed to. */
const isOpenPage = (path: string): boolean => /^\/(?:auth|admin|setup|support|privacy|terms)(?:\/|$)/.test(path);

/** After how many seconds the maintenance page loads itself again. */
const reloadSeconds = 30;

/** The maintenance page. It does not load the web app, whose requests would be refused. */
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
