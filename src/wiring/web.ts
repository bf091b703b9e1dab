import { fileURLToPath } from 'node:url';
import { Kysely, PostgresDialect } from 'kysely';
import type { Network } from '#delivery/adapter.ts';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import { listPausedJobs } from '#engine/pause/paused-jobs.ts';
import { resumeDeliveries } from '#engine/pause/resume.ts';
import { adminHandlers } from '#features/admin/admin.http.ts';
import { agendaHandlers } from '#features/agenda/agenda.http.ts';
import { alertHandlers } from '#features/alerts/alerts.http.ts';
import { accountHandlers } from '#features/auth/account.http.ts';
import { apiKeyHandlers } from '#features/api-keys/api-keys.http.ts';
import { auditLogHandlers } from '#features/audit-log/audit-log.http.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { reauthenticationHandlers } from '#features/auth/reauthentication.http.ts';
import { twoFactorHandlers } from '#features/auth/two-factor.http.ts';
import { billingHandlers } from '#features/billing/billing.http.ts';
import { sandboxPaymentHandlers } from '#features/billing/sandbox-payments.http.ts';
import { calendarFeedHandlers } from '#features/calendar-feeds/calendar-feeds.http.ts';
import { calendarSourceHandlers } from '#features/calendar-sources/calendar-sources.http.ts';
import { readIcs } from '#features/calendar-sources/ics/ics-thread.ts';
import { clientErrorHandlers } from '#features/client-errors/client-errors.http.ts';
import { callbackHandlers } from '#features/channels/callbacks.http.ts';
import { channelHandlers } from '#features/channels/channels.http.ts';
import { createTestSlots } from '#features/channels/test-slots.ts';
import { contactDetailsHandlers } from '#features/contact-details/contact-details.http.ts';
import { erasureHandlers } from '#features/erasures/erasures.http.ts';
import { backupHandlers } from '#features/backups/backups.http.ts';
import type { NightlyBackups } from '#features/backups/nightly-backups.service.ts';
import { contactGroupHandlers } from '#features/contact-groups/contact-groups.http.ts';
import { contactHandlers } from '#features/contacts/contacts.http.ts';
import { dashboardHandlers } from '#features/dashboard/dashboard.http.ts';
import { analyticsHandlers } from '#features/analytics/analytics.http.ts';
import { accessHandlers } from '#features/demo/access.http.ts';
import { demoRequestHandlers } from '#features/demo-requests/demo-requests.http.ts';
import type { Demo } from '#features/demo/demo.service.ts';
import type { VisitorPorts } from '#features/demo/visitors.service.ts';
import { eventHandlers } from '#features/events/events.http.ts';
import { deliveryPauseHandlers } from '#features/delivery-pause/delivery-pause.http.ts';
import { inboxHandlers } from '#features/inbox/inbox.http.ts';
import { installationHandlers } from '#features/installation/installation.http.ts';
import { invitationHandlers } from '#features/invitations/invitations.http.ts';
import { createJobWaits } from '#features/jobs/job-waits.ts';
import { findEnded } from '#features/jobs/jobs.service.ts';
import { monthlyReportHandlers } from '#features/monthly-reports/monthly-reports.http.ts';
import { reportMailHandlers } from '#features/report-mails/report-mails.http.ts';
import { exclusionHandlers } from '#features/exclusions/exclusions.http.ts';
import { jobHandlers } from '#features/jobs/jobs.http.ts';
import { exposeMetrics } from '#features/metrics/exposition.service.ts';
import type { Heartbeat } from '#features/metrics/heartbeat.service.ts';
import { metricsHandlers } from '#features/metrics/metrics.http.ts';
import type { Metrics } from '#features/metrics/metrics.service.ts';
import { notificationHandlers } from '#features/notifications/notifications.http.ts';
import { pictureHandlers } from '#features/pictures/pictures.http.ts';
import { profileHandlers } from '#features/profile/profile.http.ts';
import { pushHandlers } from '#features/push/push.http.ts';
import { createOpenStreams, type OpenStreams } from '#features/realtime/open-streams.ts';
import { reachHandlers } from '#features/reach/reach.http.ts';
import { realtimeHandlers } from '#features/realtime/realtime.http.ts';
import { reminderHandlers } from '#features/reminders/reminders.http.ts';
import { signingSecretHandlers } from '#features/signing-secret/signing-secret.http.ts';
import { statusHandlers } from '#features/status/status.http.ts';
import { createStatus } from '#features/status/status.service.ts';
import { supportHandlers } from '#features/support/support.http.ts';
import { webhookHandlers } from '#features/webhooks/webhooks.http.ts';
import { consentHandlers } from '#features/consents/consents.http.ts';
import { suppressionHandlers } from '#features/suppressions/suppressions.http.ts';
import { topicHandlers } from '#features/topics/topics.http.ts';
import { templateCategoryHandlers } from '#features/template-categories/template-categories.http.ts';
import { templateHandlers } from '#features/templates/templates.http.ts';
import { unknownPathHandlers } from '#features/unknown-paths/unknown-paths.http.ts';
import { recordUnknownPaths } from '#features/unknown-paths/unknown-paths.service.ts';
import { unsubscribeHandlers, unsubscribePages } from '#features/unsubscribe/unsubscribe.http.ts';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { memberHandlers } from '#features/workspaces/members.http.ts';
import { workspaceDeletionHandlers } from '#features/workspaces/workspace-deletion.http.ts';
import { workspaceFileHandlers } from '#features/workspace-file/workspace-file.http.ts';
import { workspaceHandlers } from '#features/workspaces/workspaces.http.ts';
import { type AppDeps, createApp } from '#http/app.ts';
import { createTrustedProxies } from '#http/client-address.ts';
import { listen } from '#http/listen.ts';
import { createOpenApiAnswer } from '#http/open-api.ts';
import type { Clock } from '#platform/clock.ts';
import { poolSizesOf } from '#platform/connection-budget.ts';
import { inTenant } from '#platform/database.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import type { Schema } from '#platform/schema.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { createRenderingPool, webLimits } from '#rendering/pool.ts';
import { createRenderer } from '#rendering/renderer.ts';
import { version } from '#version.ts';
import { openPayments } from './payments.ts';
import { slotValues } from './slot-values.ts';
import type { Runtime } from './runtime.ts';
import type { Outbound } from './outbound.ts';

type WebDeps = {
  auth: Auth;
  outbound: Outbound;
  measuring: { metrics: Metrics; heartbeat: Heartbeat };
  /** Why this process cannot write, as a sentence for people; null where it can. */
  writeFailure: () => Promise<string | null>;
  sandbox: Sandbox | null;
  backups: NightlyBackups;
  demo: (Demo & { secrets: () => readonly string[] }) | null;
  /** Creates the demos of visitors of the landing page. */
  visitors: VisitorPorts;
  /** The tokens that open the inbox of account mail, the newest first. */
  accountTokens: () => readonly string[];
  /** The address at which people open Cuebird; read for each answer that names it. */
  url: () => string;
  /** Whether costly requests are rate-limited. */
  hasLimits: boolean;
  admit: AppDeps['admit'];
};

/** Starts the API and the web app. Returns the address at which they listen. */
export async function openWeb(
  runtime: Runtime,
  {
    auth,
    outbound,
    measuring,
    writeFailure,
    sandbox,
    backups,
    demo,
    visitors,
    accountTokens,
    url,
    hasLimits,
    admit,
  }: WebDeps,
): Promise<string> {
  const { clock, config, log, stack, database, deliveryPause, secrets, pubsub, settings, superseded } = runtime;
  const billing = config.billing === 'off' ? 'off' : 'on';
  const limits = () => ({ ...settings.current(), billing }) as const;
  const closing = new AbortController();
  const tests = openTestNetwork(outbound, clock);
  const testSlots = createTestSlots(5);
  const engine = { pool: database.engine, clock };
  const rendering = createRenderingPool(webLimits);
  const renderer = createRenderer(rendering);
  const { metrics, heartbeat } = measuring;
  const payments = await openPayments(runtime, { url });
  const streams = createOpenStreams(pubsub);
  metrics.watchCount('client_streams', streams.count);
  endStreamsInMaintenance(settings, streams);
  const waits = createJobWaits({
    pubsub,
    clock,
    findEnded: (of) => inTenant(database.app, { workspaceId: of.workspaceId, userId: null }, (db) => findEnded(db, of)),
    onError: (error) => log.warn({ error: String(error) }, 'the jobs that requests wait for could not be read'),
  });
  const unknownPaths = recordUnknownPaths({ pool: database.engine, clock, log });
  stack.add('the record of paths without a page', () => unknownPaths.stop());
  const subjects = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: database.auth }) });
  const supportMails = new Set<Promise<void>>();
  stack.add('the mails to support', async () => void (await Promise.allSettled(supportMails)));
  const status = createStatus({
    pool: database.engine,
    clock,
    dataDir: config.DATA_DIR,
    isPaused: async () => (await deliveryPause.notice()) !== null,
    settings: settings.current,
    writeFailure,
  });
  // Each feature takes what it declares of these. `db` sees one workspace; whoever takes a pool says which.
  const common = {
    auth,
    db: database.app,
    clock,
    now: clock.now,
    log,
    secrets,
    guard: outbound.guard,
    defaults: outbound.defaults,
    renderer,
    url,
    billing,
    hasLimits,
    closing: closing.signal,
  } as const;
  const links = { ...common, counts: subjects, tokens: createUnsubscribeTokens(secrets) };
  const app = createApp({
    publicPages: unsubscribePages(links),
    onUnknownPath: unknownPaths.note,
    superseded,
    ...common,
    appUrl: config.APP_URL,
    requestConnections: poolSizesOf(config.DATABASE_CONNECTIONS).app,
    settings: settings.current,
    admit,
    onAnswered: metrics.requestAnswered,
    onSignInRefused: metrics.signInRefused,
    trustedProxies: createTrustedProxies(config.TRUSTED_PROXIES, { log }),
    webRoot: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    pages: {
      file: fileURLToPath(new URL('../../dist/pages.json', import.meta.url)),
      values: async (path) =>
        slotValues(config, {
          hasDemo: visitors.isOpen,
          now: common.now(),
          // Read for this page only: while the database does not answer, it takes a few seconds.
          status: path === '/support' ? await status() : null,
        }),
    },
    handlers: {
      ...installationHandlers({
        config,
        database,
        version,
        hasDemo: demo !== null,
        canSendMail: outbound.canSendMail,
        superseded,
        deliveryPauseNotice: deliveryPause.notice,
        clockOffsetMs: clock.offsetMs,
        writeFailure,
        openApi: createOpenApiAnswer(() => ({ version, url: url() })),
      }),
      ...metricsHandlers({
        token: config.METRICS_TOKEN,
        expose: () => exposeMetrics({ ...engine, now: common.now, heartbeat }),
      }),
      ...statusHandlers({ status }),
      ...supportHandlers({
        ...common,
        db: subjects,
        pool: database.auth,
        supportEmail: config.SUPPORT_EMAIL,
        hasMailServer: config.SMTP_URL !== undefined,
        sendMail: outbound.sendMail,
        continueWith(work) {
          supportMails.add(work);
          void work.finally(() => supportMails.delete(work));
        },
      }),
      ...unknownPathHandlers(engine),
      ...alertHandlers({ ...engine, auth: database.auth }),
      ...accountHandlers(common),
      ...accessHandlers({ auth, pool: database.auth, demo, visitors }),
      ...demoRequestHandlers({
        ...common,
        auth: database.auth,
        supportEmail: config.SUPPORT_EMAIL ?? null,
        sendMail: outbound.canSendMail ? outbound.sendMail : null,
      }),
      ...reauthenticationHandlers(common),
      ...twoFactorHandlers(common),
      ...deliveryPauseHandlers({
        notice: deliveryPause.notice,
        afterFailOver: deliveryPause.afterFailOver,
        list: (notice) => listPausedJobs(engine, notice),
        resume: (input) => resumeDeliveries({ ...engine, log }, input),
      }),
      ...backupHandlers({ backups, pool: database.auth }),
      ...realtimeHandlers({ ...common, streams }),
      ...workspaceHandlers,
      ...memberHandlers(common),
      ...workspaceFileHandlers,
      ...workspaceDeletionHandlers(common),
      ...invitationHandlers({ ...common, canSendMail: outbound.canSendMail }),
      ...profileHandlers({ ...common, supportDb: subjects }),
      ...pictureHandlers(common),
      ...agendaHandlers,
      ...dashboardHandlers({ hasSandbox: sandbox !== null }),
      ...analyticsHandlers,
      ...reminderHandlers(common),
      ...reachHandlers(common),
      ...templateHandlers(common),
      ...templateCategoryHandlers,
      ...contactDetailsHandlers(common),
      ...erasureHandlers(common),
      ...contactHandlers(common),
      ...contactGroupHandlers,
      ...suppressionHandlers(common),
      ...consentHandlers(common),
      ...topicHandlers,
      ...exclusionHandlers,
      ...jobHandlers({ ...common, waits }),
      ...monthlyReportHandlers({ secrets, canSendMail: outbound.canSendMail }),
      ...reportMailHandlers({
        ...common,
        links: outbound.stopLinks,
        sendMail: outbound.canSendMail ? outbound.sendMail : null,
      }),
      ...notificationHandlers(common),
      ...channelHandlers({ ...common, network: tests, slots: testSlots, demo: outbound.demo }),
      ...calendarFeedHandlers(common),
      ...calendarSourceHandlers({ ...common, http: tests.http, readIcs, notifyOwners: null }),
      ...callbackHandlers(common),
      ...unsubscribeHandlers(links),
      ...pushHandlers({
        ...common,
        ports: { ...outbound.push, network: tests, demoRoutes: outbound.demo.routes, slots: testSlots },
      }),
      ...clientErrorHandlers(common),
      ...eventHandlers({ ...common, settings: limits }),
      ...signingSecretHandlers(common),
      ...webhookHandlers(common),
      ...apiKeyHandlers({ settings: limits }),
      ...auditLogHandlers,
      ...billingHandlers({ ...common, mode: config.billing, account: payments.account, pool: database.engine }),
      ...sandboxPaymentHandlers({
        provider: payments.provider,
        prices: payments.account?.prices ?? null,
        pool: database.engine,
      }),
      ...adminHandlers({
        pool: database.engine,
        dataDir: config.DATA_DIR,
        beat: heartbeat.beat,
        auth: database.auth,
        settings,
        environment: config,
      }),
      ...inboxHandlers({ sandbox, auth: database.auth, accountTokens }),
    },
  });
  const listening = await listen(app, { host: config.HOST, port: config.PORT, isPortFixed: config.isPortFixed });
  stack.add('the web server', () => {
    closing.abort();
    return listening.close();
  });
  // Stopped before the web server, whose last answers may be waiting for a preview or a channel test.
  stack.add('the rendering threads', () => rendering.close());
  stack.add('the connections of tests', () => tests.close());
  return listening.url;
}

/** Open screens reconnect and learn of the maintenance; administrators are let in again. */
function endStreamsInMaintenance(settings: Runtime['settings'], streams: Pick<OpenStreams, 'endAll'>): void {
  let wasClosed = false;
  settings.subscribe(({ maintenanceMode: isClosed }) => {
    if (isClosed && !wasClosed) streams.endAll();
    wasClosed = isClosed;
  });
}

/** The network of channel tests: a person waits, so a mail server gets a minute, where a delivery gives it five. */
function openTestNetwork({ guard, callbackUrl }: Outbound, clock: Clock): Network & { close(): Promise<void> } {
  const http = createOutboundHttp({ guard });
  const smtp = createSmtpPools({ guard, timeouts: { totalMs: 60_000 } });
  const close = () => {
    smtp.close();
    return http.close();
  };
  return { http, smtp, now: clock.now, callbackUrl, close };
}
