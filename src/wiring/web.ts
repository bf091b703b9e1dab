import { fileURLToPath } from 'node:url';
import type { Network } from '#delivery/adapter.ts';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import { listHeld } from '#engine/held-jobs.ts';
import { releaseHold } from '#engine/release.ts';
import { apiKeyHandlers } from '#features/api-keys/api-keys.http.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { callbackHandlers } from '#features/channels/callbacks.http.ts';
import { channelHandlers } from '#features/channels/channels.http.ts';
import { createPlaces } from '#features/channels/places.ts';
import { contactHandlers } from '#features/contacts/contacts.http.ts';
import { dashboardHandlers } from '#features/dashboard/dashboard.http.ts';
import { dayHandlers } from '#features/dashboard/day.http.ts';
import { accessHandlers } from '#features/demo/access.http.ts';
import type { Demo } from '#features/demo/demo.service.ts';
import { eventHandlers } from '#features/events/events.http.ts';
import { holdHandlers } from '#features/hold/hold.http.ts';
import { inboxHandlers } from '#features/inbox/inbox.http.ts';
import { installationHandlers } from '#features/installation/installation.http.ts';
import { jobHandlers } from '#features/jobs/jobs.http.ts';
import { pushHandlers } from '#features/push/push.http.ts';
import { realtimeHandlers } from '#features/realtime/realtime.http.ts';
import { reminderHandlers } from '#features/reminders/reminders.http.ts';
import { suppressionHandlers } from '#features/suppressions/suppressions.http.ts';
import { templateCategoryHandlers } from '#features/template-categories/template-categories.http.ts';
import { templateHandlers } from '#features/templates/templates.http.ts';
import { unsubscribeHandlers } from '#features/unsubscribe/unsubscribe.http.ts';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { workspaceHandlers } from '#features/workspaces/workspaces.http.ts';
import { createApp } from '#http/app.ts';
import { listen } from '#http/listen.ts';
import { openApiDocument } from '#http/open-api.ts';
import { systemClock } from '#platform/clock.ts';
import { createOutboundHttp } from '#platform/outbound/http.ts';
import type { Sandbox } from '#platform/sandbox/sandbox.ts';
import { version } from '#version.ts';
import type { House } from './house.ts';
import type { WaysOut } from './ways-out.ts';

type Rooms = {
  auth: Auth;
  ways: WaysOut;
  sandbox: Sandbox | null;
  demo: (Demo & { secret: string }) | null;
  /** Opens the inbox of account mail. */
  accountToken: string;
  /** Where people reach it; asked with each answer that says so. */
  url: () => string;
};

/** Starts the API and the screens. Returns the address at which they listen. */
export async function openWeb(house: House, { auth, ways, sandbox, demo, accountToken, url }: Rooms): Promise<string> {
  const { config, log, stack, database, hold, secrets, pubsub, superseded } = house;
  const closing = new AbortController();
  const tests = openTestNetwork(ways);
  const engine = { pool: database.engine, clock: systemClock };
  const app = createApp({
    auth,
    db: database.app,
    now: systemClock.now,
    secrets,
    appUrl: config.APP_URL,
    webRoot: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    log,
    handlers: {
      ...installationHandlers({
        config,
        database,
        version,
        hasDemo: demo !== null,
        superseded,
        holdNotice: hold.notice,
        openApi: () => openApiDocument({ version, url: url() }),
      }),
      ...accessHandlers({ auth, pool: database.auth, demo }),
      ...holdHandlers({
        notice: hold.notice,
        list: (notice) => listHeld(engine, notice),
        release: (release) => releaseHold({ ...engine, log }, release),
      }),
      ...realtimeHandlers({ pubsub, closing: closing.signal }),
      ...workspaceHandlers,
      ...dashboardHandlers,
      ...dayHandlers,
      ...reminderHandlers({ guard: ways.guard }),
      ...templateHandlers,
      ...templateCategoryHandlers,
      ...contactHandlers,
      ...suppressionHandlers,
      ...jobHandlers({ secrets, defaults: ways.defaults }),
      ...channelHandlers({ secrets, guard: ways.guard, url, network: tests, places: createPlaces(5) }),
      ...callbackHandlers({ db: database.app, secrets, clock: systemClock, url, defaults: ways.defaults }),
      ...unsubscribeHandlers({ db: database.app, tokens: createUnsubscribeTokens(secrets), now: systemClock.now }),
      ...pushHandlers({ publicKey: ways.pushKey, guard: ways.guard }),
      ...eventHandlers({ db: database.app, secrets, now: systemClock.now, url }),
      ...apiKeyHandlers,
      ...inboxHandlers({ sandbox, auth: database.auth, accountToken }),
    },
  });
  const listening = await listen(app, { host: config.HOST, port: config.PORT, isPortFixed: config.isPortFixed });
  stack.add('the web server', () => {
    closing.abort();
    return listening.close();
  });
  // Before the web server, which waits for its answers: a test may be waiting for a server that hangs.
  stack.add('the connections of tests', () => tests.close());
  return listening.url;
}

/** People wait for a test: a mail server gets a minute, where a delivery has five. */
function openTestNetwork({ guard, callbackUrl }: WaysOut): Network & { close(): Promise<void> } {
  const http = createOutboundHttp({ guard });
  const smtp = createSmtpPools({ guard, timeouts: { totalMs: 60_000 } });
  const close = () => {
    smtp.close();
    return http.close();
  };
  return { http, smtp, now: systemClock.now, callbackUrl, close };
}
