import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { isWebPath, webRoutes } from '#contract/web-routes.ts';
import { createAppRouter } from '#web/app/router.ts';

const router = createAppRouter(new QueryClient());

it('the server knows every route of the web, and no other', () => {
  const paths = Object.values(router.routesById).flatMap(({ fullPath, children }) =>
    children === undefined ? [fullPath.replace(/(.)\/$/, '$1')] : [],
  );
  expect([...new Set(paths)].toSorted()).toEqual(webRoutes.toSorted());
});

it.each([
  '/',
  '/reminders',
  '/reminders/',
  '/Reminders',
  '/reminders/0192',
  '/reminders/0192/edit',
  '/reminders/0192/edit/again',
  '/reminders//edit',
  '/inbox/account',
  '/nowhere',
  '/admin/workspace',
  '//',
])('%s is known to both or to neither', (path) => {
  const [, params, found] = router.getMatchedRoutes(path);
  // A route of which the path is only the beginning matches too, with the rest as this parameter.
  expect(found !== undefined && !('**' in params)).toBe(isWebPath(path));
});
