import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { configQuery } from '#web/api/config.ts';
import { themedRoute } from '#web/app/routes.ts';
import { sessionOrNull } from '#web/app/session-guard.ts';

/** The address to open next: a path on this site. With two slashes at its beginning it would name another site. */
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

/**
 * Sign in and sign up; with a session it redirects to the dashboard. `error` comes from Google or from a mail's link, `tab` from the
 * landing page, `next` from a screen that leads here and is returned to.
 */
export const authRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/auth',
  validateSearch: ({ error, tab, ...rest }): { error?: string; tab?: 'sign-up'; next?: string } => ({
    ...nextOf(rest),
    ...(typeof error === 'string' ? { error } : {}),
    ...(tab === 'sign-up' ? { tab } : {}),
  }),
  beforeLoad: async ({ context: { queryClient } }) => {
    // Loaded before the first render, so that the Google button does not appear later and move the form.
    const config = queryClient.prefetchQuery({ ...configQuery, retry: false });
    if (await sessionOrNull(queryClient)) throw redirect({ to: '/dashboard' });
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

/** Where administrators without a second factor are led after signing in, and everybody by Google or the link of a mail; `next` is where they wanted to go. */
export const setUpTwoFactorRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/auth/two-factor',
  validateSearch: nextOf,
  beforeLoad: async ({ context: { queryClient } }) => {
    if (!(await sessionOrNull(queryClient))) throw redirect({ to: '/auth' });
  },
  component: lazyRouteComponent(() => import('./SetUpTwoFactorScreen.tsx'), 'SetUpTwoFactorScreen'),
});
