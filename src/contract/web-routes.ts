/**
 * Every path of the web app, as its router writes it: `$` starts a parameter. The pages of the build are not among them. The server answers
 * 404 for every other one, with the page that says so; `src/web/app/router.test.ts` compares it with the router.
 */
export const webRoutes = [
  '/',
  '/admin',
  '/admin/workspace/$workspaceId/analytics',
  '/admin/workspace/$workspaceId/manage',
  '/agenda',
  '/api-docs',
  '/auth',
  '/auth/code',
  '/auth/confirm-email',
  '/auth/forgot-password',
  '/auth/reset-password',
  '/auth/two-factor',
  '/auth/verify-email',
  '/billing',
  '/channels',
  '/contacts',
  '/contacts/$id',
  '/contacts/$id/consents',
  '/dashboard',
  '/inbox',
  '/inbox/$id',
  '/inbox/account',
  '/invitation/$token',
  '/jobs',
  '/jobs/$id/report',
  '/profile',
  '/reminders',
  '/reminders/$id',
  '/reminders/$id/edit',
  '/reminders/new',
  '/sandbox-payments/$id',
  '/settings',
  '/setup',
  '/templates',
] as const;

export type WebRoute = (typeof webRoutes)[number];

/** Whether the web app has a page at this path. */
export const isWebPath = (path: string): boolean => webRouteOf(path) !== null;

/** The page at this path. Like the router, it ignores case and a slash at the end, and prefers the path without parameters. */
export function webRouteOf(path: string): WebRoute | null {
  const parts = partsOf(path.toLowerCase());
  const fitting = patterns.filter(
    ({ pattern }) =>
      pattern.length === parts.length &&
      pattern.every((part, at) => (part.startsWith('$') ? parts[at] !== '' : part === parts[at])),
  );
  return (fitting.find(({ route }) => !route.includes('$')) ?? fitting[0])?.route ?? null;
}

const partsOf = (path: string): string[] =>
  (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/');

const patterns = webRoutes.map((route) => ({ route, pattern: partsOf(route.toLowerCase()) }));
