import type { QueryClient } from '@tanstack/react-query';
import { type AnyRouter, createRouter } from '@tanstack/react-router';
import { workspacesQuery } from '#web/api/workspaces.ts';
import { homeRoute, rootRoute, signedInRoute, themedRoute } from '#web/app/routes.ts';
import { ScreenError } from '#web/app/ScreenError.tsx';
import { parseSearch, stringifySearch } from '#web/app/search-params.ts';
import { confirmEmailRoute, profileRoute, settingsRoute } from '#web/features/account/account.route.ts';
import {
  authRoute,
  twoFactorRoute,
  setUpTwoFactorRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  verifyEmailRoute,
} from '#web/features/auth/auth.route.ts';
import { agendaRoute } from '#web/features/agenda/agenda.route.ts';
import { apiDocsRoute } from '#web/features/api-docs/api-docs.route.ts';
import { billingRoute, sandboxPaymentRoute } from '#web/features/billing/billing.route.ts';
import { channelsRoute } from '#web/features/channels/channels.route.ts';
import { adminRoute } from '#web/features/admin/admin.route.ts';
import { adminSetupRoute } from '#web/features/admin-setup/admin-setup.route.ts';
import { consentProofRoute } from '#web/features/consents/consents.route.ts';
import { contactRoute, contactsRoute } from '#web/features/contacts/contacts.route.ts';
import { dashboardRoute } from '#web/features/dashboard/dashboard.route.ts';
import { accountInboxRoute, inboxRoute } from '#web/features/inbox/inbox.route.ts';
import { invitationRoute } from '#web/features/invitations/invitation.route.ts';
import { jobReportRoute, jobsRoute } from '#web/features/jobs/jobs.route.ts';
import {
  editReminderRoute,
  newReminderRoute,
  reminderRoute,
  remindersRoute,
} from '#web/features/reminders/reminders.route.ts';
import { templatesRoute } from '#web/features/templates/templates.route.ts';
import { analyticsRoute } from '#web/features/workspaces/analytics/analytics.route.ts';
import { manageRoute } from '#web/features/workspaces/manage/manage.route.ts';

const routeTree = rootRoute.addChildren([
  homeRoute,
  themedRoute.addChildren([
    authRoute,
    twoFactorRoute,
    setUpTwoFactorRoute,
    forgotPasswordRoute,
    resetPasswordRoute,
    verifyEmailRoute,
    confirmEmailRoute,
    adminSetupRoute,
    accountInboxRoute,
    invitationRoute,
    sandboxPaymentRoute,
    signedInRoute.addChildren([
      dashboardRoute,
      agendaRoute,
      billingRoute,
      channelsRoute,
      contactsRoute,
      contactRoute,
      consentProofRoute,
      jobsRoute,
      jobReportRoute,
      inboxRoute,
      remindersRoute,
      reminderRoute,
      newReminderRoute,
      editReminderRoute,
      templatesRoute,
      apiDocsRoute,
      adminRoute,
      manageRoute,
      analyticsRoute,
      profileRoute,
      settingsRoute,
    ]),
  ]),
]);

/** The route tree: each feature declares its routes in `<noun>.route.ts`, with lazy screens. */
export const createAppRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: ScreenError,
  });

/** Loads the files of the first screen, and what every signed-in screen waits for, while the session is asked for. */
export function loadScreen(router: AnyRouter, queryClient: QueryClient): void {
  // The router asks again, and shows what fails.
  for (const { routeId } of router.matchRoutes(router.latestLocation))
    router.loadRouteChunk(router.routesById[routeId])?.catch(() => {});
  // The page has this link where the browser has sent the cookie of a session.
  if (document.querySelector('link[rel=preload][href="/api/auth/get-session"]') !== null)
    void queryClient.prefetchQuery(workspacesQuery);
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
