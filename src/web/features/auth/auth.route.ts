import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { configQuery } from '#web/api/config.ts';
import { twoFactorQuery } from '#web/api/two-factor.ts';
import { themedRoute } from '#web/app/routes.ts';
import { sessionOrNull } from '#web/app/session-guard.ts';
import { isAskedForSecondFactor } from './enter.ts';

/** The address to open next, of this site only: a path, which a second slash would make the name of another one. */
const nextOf = ({ next }: Record<string, unknown>): { next?: string } =>
  typeof next === 'string' && /^\/[^/\\]/.test(next) ? { next } : {};

/** Where a link to set a new password is asked for. */
export const forgotPasswordRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/auth/forgot-password',
  component: lazyRouteComponent(() => import('./ForgotPasswordScreen.tsx'), 'ForgotPasswordScreen'),
});

/** The link of a mail: a new password. */
export const resetPasswordRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/auth/reset-password',
  component: lazyRouteComponent(() => import('./ResetPasswordScreen.tsx'), 'ResetPasswordScreen'),
});

/** The link of a mail: the address of a sign-up. */
export const verifyEmailRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/auth/verify-email',
  component: lazyRouteComponent(() => import('./VerifyEmailScreen.tsx'), 'VerifyEmailScreen'),
});

/** Sign in and sign up; with a session it redirects to where a sign-in leads. `error` comes from Google or from a mail's link. */
export const authRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/auth',
  validateSearch: ({ error }): { error?: string } => (typeof error === 'string' ? { error } : {}),
  beforeLoad: async ({ context: { queryClient } }) => {
    // Whether Google is offered is known before the first render: nothing moves under the pointer.
    const config = queryClient.prefetchQuery({ ...configQuery, retry: false });
    // Google and the link of a mail lead here too.
    if (await sessionOrNull(queryClient))
      throw redirect({ to: (await isAskedForSecondFactor(queryClient)) ? '/auth/two-factor' : '/dashboard' });
    await config;
  },
  component: lazyRouteComponent(() => import('./AuthScreen.tsx'), 'AuthScreen'),
});

/** The second factor of a sign-in; `next` is the address that was opened. */
export const twoFactorRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/auth/code',
  validateSearch: nextOf,
  component: lazyRouteComponent(() => import('./TwoFactorScreen.tsx'), 'TwoFactorScreen'),
});

/** Where administrators without a second factor are led after signing in; `next` is where they wanted to go. */
export const setUpTwoFactorRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/auth/two-factor',
  validateSearch: nextOf,
  beforeLoad: async ({ context: { queryClient }, search: { next = '/dashboard' } }) => {
    if (!(await sessionOrNull(queryClient))) throw redirect({ to: '/auth' });
    const state = await queryClient.fetchQuery(twoFactorQuery).catch(() => null);
    if (state !== null && state.required_at === null) throw redirect({ href: next });
  },
  component: lazyRouteComponent(() => import('./SetUpTwoFactorScreen.tsx'), 'SetUpTwoFactorScreen'),
});
