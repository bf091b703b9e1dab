/**
 * Every path of the web app, as its router writes it: `$` starts a parameter. The server answers 404 for every other one, with the page that
 * says so; `src/web/app/router.test.ts` compares it with the router.
 */
export const webRoutes = [
  '/',
  '/admin',
  '/admin/workspace/$workspaceId/analytics',
  '/admin/workspace/$workspaceId/manage',
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
  '/dashboard',
  '/inbox',
  '/inbox/$id',
  '/inbox/account',
  '/invitation/$token',
  '/jobs',
  '/jobs/$id/report',
  '/privacy',
  '/profile',
  '/reminders',
  '/reminders/$id',
  '/reminders/$id/edit',
  '/reminders/new',
  '/sandbox-payments/$id',
  '/settings',
  '/setup',
  '/support',
  '/templates',
  '/terms',
  '/unsubscribe/$token',
] as const;

/** Whether the web app has a page at this path. Like the router, it ignores case and a slash at the end. */
export function isWebPath(path: string): boolean {
  const parts = partsOf(path.toLowerCase());
  return patterns.some(
    (pattern) =>
      pattern.length === parts.length &&
      pattern.every((part, at) => (part.startsWith('$') ? parts[at] !== '' : part === parts[at])),
  );
}

const partsOf = (path: string): string[] =>
  (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/');

const patterns: readonly string[][] = webRoutes.map((path) => partsOf(path.toLowerCase()));
