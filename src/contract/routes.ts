import { accountRoutes } from '#contract/account.ts';
import { accessRoutes } from '#contract/access.ts';
import { adminBackupRoutes } from '#contract/admin-backups.ts';
import { adminLogRoutes } from '#contract/admin-logs.ts';
import { adminOverviewRoutes } from '#contract/admin-overview.ts';
import { adminSettingsRoutes } from '#contract/admin-settings.ts';
import { adminPeopleRoutes } from '#contract/admin-people.ts';
import { adminWorkspaceRoutes } from '#contract/admin-workspaces.ts';
import { adminAnalyticsRoutes } from '#contract/admin-analytics.ts';
import { agendaRoutes } from '#contract/agenda.ts';
import { alertRoutes } from '#contract/alerts.ts';
import { adminSystemRoutes } from '#contract/admin-system.ts';
import { analyticsRoutes } from '#contract/analytics.ts';
import { apiKeyRoutes } from '#contract/api-keys.ts';
import { auditLogRoutes } from '#contract/audit-log.ts';
import { sandboxPaymentRoutes } from '#contract/sandbox-payments.ts';
import { billingRoutes } from '#contract/billing.ts';
import { bulkReminderRoutes } from '#contract/bulk-reminders.ts';
import { callbackRoutes } from '#contract/callbacks.ts';
import { calendarFeedRoutes } from '#contract/calendar-feeds.ts';
import { calendarSourceRoutes } from '#contract/calendar-sources.ts';
import { clientErrorRoutes } from '#contract/client-errors.ts';
import { channelRoutes } from '#contract/channels.ts';
import { reauthenticationRoutes } from '#contract/reauthentication.ts';
import { contactGroupRoutes } from '#contract/contact-groups.ts';
import { erasureRoutes } from '#contract/erasures.ts';
import { contactDetailsRoutes } from '#contract/contact-details.ts';
import { contactImportRoutes } from '#contract/contact-imports.ts';
import { contactRoutes } from '#contract/contacts.ts';
import { exclusionRoutes } from '#contract/exclusions.ts';
import { dashboardRoutes } from '#contract/dashboard.ts';
import { dayRoutes } from '#contract/day.ts';
import { demoRequestRoutes } from '#contract/demo-requests.ts';
import { deliveryRoutes } from '#contract/deliveries.ts';
import { eventRoutes } from '#contract/events.ts';
import { deliveryPauseRoutes } from '#contract/delivery-pause.ts';
import { inboxRoutes } from '#contract/inbox.ts';
import { executionRoutes } from '#contract/executions.ts';
import { installationRoutes } from '#contract/installation.ts';
import { invitationRoutes } from '#contract/invitations.ts';
import { jobRoutes } from '#contract/jobs.ts';
import { memberRoutes } from '#contract/members.ts';
import { metricsRoutes } from '#contract/metrics.ts';
import { logoRoutes } from '#contract/logos.ts';
import { pictureRoutes } from '#contract/pictures.ts';
import { notificationRoutes } from '#contract/notifications.ts';
import { profileRoutes } from '#contract/profile.ts';
import { pushRoutes } from '#contract/push.ts';
import { reportMailRoutes } from '#contract/report-mails.ts';
import { monthlyReportRoutes } from '#contract/monthly-reports.ts';
import { reachRoutes } from '#contract/reach.ts';
import { realtimeRoutes } from '#contract/realtime.ts';
import { reminderHistoryRoutes } from '#contract/reminder-history.ts';
import { reminderPauseRoutes } from '#contract/reminder-pauses.ts';
import { reminderTestRoutes } from '#contract/reminder-tests.ts';
import { reminderRoutes } from '#contract/reminders.ts';
import { signingSecretRoutes } from '#contract/signing-secret.ts';
import { statusRoutes } from '#contract/status.ts';
import { supportRoutes } from '#contract/support.ts';
import { consentRoutes } from '#contract/consents.ts';
import { suppressionRoutes } from '#contract/suppressions.ts';
import { topicRoutes } from '#contract/topics.ts';
import { templateCategoryRoutes } from '#contract/template-categories.ts';
import { templateGalleryRoutes } from '#contract/template-gallery.ts';
import { templatePreviewRoutes } from '#contract/template-previews.ts';
import { templateVersionRoutes } from '#contract/template-versions.ts';
import { templateRoutes } from '#contract/templates.ts';
import { twoFactorRoutes } from '#contract/two-factor.ts';
import { unknownPathRoutes } from '#contract/unknown-paths.ts';
import { unsubscribeRoutes } from '#contract/unsubscribe.ts';
import { webhookRoutes } from '#contract/webhooks.ts';
import { workspaceDeletionRoutes } from '#contract/workspace-deletion.ts';
import { workspaceFileRoutes } from '#contract/workspace-files.ts';
import { workspaceRoutes } from '#contract/workspaces.ts';

/** Every route of the product's API. The server does not compile while one of them has no handler. */
export const routes = {
  ...installationRoutes,
  ...metricsRoutes,
  ...adminSystemRoutes,
  ...alertRoutes,
  ...adminAnalyticsRoutes,
  ...accessRoutes,
  ...demoRequestRoutes,
  ...reauthenticationRoutes,
  ...twoFactorRoutes,
  ...accountRoutes,
  ...deliveryPauseRoutes,
  ...adminSettingsRoutes,
  ...adminBackupRoutes,
  ...realtimeRoutes,
  ...workspaceRoutes,
  ...workspaceDeletionRoutes,
  ...workspaceFileRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...profileRoutes,
  ...logoRoutes,
  ...pictureRoutes,
  ...dashboardRoutes,
  ...dayRoutes,
  ...agendaRoutes,
  ...analyticsRoutes,
  ...reminderRoutes,
  ...bulkReminderRoutes,
  ...reminderPauseRoutes,
  ...reminderHistoryRoutes,
  ...reminderTestRoutes,
  ...reachRoutes,
  ...templateRoutes,
  ...templateVersionRoutes,
  ...templateGalleryRoutes,
  ...templatePreviewRoutes,
  ...templateCategoryRoutes,
  ...contactDetailsRoutes,
  ...contactRoutes,
  ...contactImportRoutes,
  ...contactGroupRoutes,
  ...statusRoutes,
  ...supportRoutes,
  ...suppressionRoutes,
  ...consentRoutes,
  ...topicRoutes,
  ...erasureRoutes,
  ...notificationRoutes,
  ...jobRoutes,
  ...exclusionRoutes,
  ...reportMailRoutes,
  ...monthlyReportRoutes,
  ...deliveryRoutes,
  ...executionRoutes,
  ...calendarFeedRoutes,
  ...calendarSourceRoutes,
  ...channelRoutes,
  ...callbackRoutes,
  ...unknownPathRoutes,
  ...unsubscribeRoutes,
  ...pushRoutes,
  ...clientErrorRoutes,
  ...eventRoutes,
  ...apiKeyRoutes,
  ...signingSecretRoutes,
  ...webhookRoutes,
  ...auditLogRoutes,
  ...billingRoutes,
  ...sandboxPaymentRoutes,
  ...adminOverviewRoutes,
  ...adminPeopleRoutes,
  ...adminWorkspaceRoutes,
  ...adminLogRoutes,
  ...inboxRoutes,
};

export type Routes = typeof routes;
export type RouteName = keyof Routes;

type PartOf<Path extends string> = Path extends `${infer Part}/${infer Rest}` ? Part | PartOf<Rest> : Path;

/** A word of the routes' paths, such as `reminders` or `members`. */
export type PathWord = Exclude<PartOf<Routes[RouteName]['path']>, `:${string}` | '' | 'api'>;
