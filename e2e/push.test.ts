import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxBrowser } from '#sandbox/emulators/push.ts';
import type { SandboxMessage } from '#sandbox/intake.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import type { TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder } from '#testing/samples.ts';
import { expectGood } from './looks.ts';
import { describeScreens, reads, toast } from './screens.fixture.ts';

const fixture = describeScreens();
/** The push service of the browser: it decrypts what it gets, as the browser would. */
let service: Sandbox;
const received: SandboxMessage[] = [];
beforeAll(async () => {
  service = await startSandbox({
    secret: 'the push service of a browser',
    store: async (messages) => void received.push(...messages),
  });
});
afterAll(() => service.stop());

type WorkerScope = {
  shown: (NotificationOptions & { title: string; close: () => void })[];
  opened: string;
  registration: ServiceWorkerRegistration;
  clients: { openWindow: (path: string) => Promise<void> };
  dispatchEvent: (event: Event) => void;
};

declare global {
  interface Window {
    /** The key that the browser was subscribed to. */
    subscribedTo?: PushSubscriptionOptionsInit['applicationServerKey'];
  }
}

/**
 * Runs in the page: this browser has an address at the push service of the test, and the permission. The service worker and all of Cuebird are real.
 *
 * Tried with the Chromium of these tests (153, the headless shell), in a profile of its own on disk (`launchPersistentContext`, no incognito
 * window), with `grantPermissions`, `Browser.setPermission` for notifications and push, `--headless=new`, and its background network on: the
 * permission is then granted, but `Notification.permission` stays denied, `showNotification` is refused, and `subscribe` fails with "push
 * service not available", which the shell does not contain. A whole Chromium comes with no package, and was not tried.
 */
function subscribeAtOurService(json: string): void {
  const given: SandboxBrowser = JSON.parse(json);
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
  const mark = 'test.subscribed';
  const unsubscribe = async () => {
    localStorage.removeItem(mark);
    return true;
  };
  const made = { endpoint: given.endpoint, options: {}, toJSON: () => given, unsubscribe };
  PushManager.prototype.getSubscription = async () => (localStorage.getItem(mark) ? (made as never) : null);
  PushManager.prototype.subscribe = async (options) => {
    localStorage.setItem(mark, 'yes');
    window.subscribedTo = options?.applicationServerKey;
    return made as never;
  };
}

describe('push notifications', () => {
  let dana: TestPerson;
  let workspace: string;
  let key: string;
  beforeEach(async () => {
    dana = await fixture.signUp('Dana Owens');
    workspace = await dana.createWorkspace('Elm Street');
    key = (await dana.call('GET', '/api/push-key', { workspace })).json.public_key;
    received.length = 0;
  });

  async function open(path: string, { width = 1440, height = 900 } = {}): Promise<Page> {
    const browser = service.pushBrowserFor({
      workspaceId: workspace,
      applicationServerKey: key,
      name: 'laptop',
    });
    const page = await fixture.open(path, {
      as: dana,
      workspace,
      own: { serviceWorkers: 'allow', permissions: ['notifications'], viewport: { width, height } },
      before: (opened) => opened.addInitScript(subscribeAtOurService, JSON.stringify(browser)),
    });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    return page;
  }

  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Push notifications' });

  async function openDialog(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Push notifications' }).click();
    await dialog(page).waitFor();
  }

  const subscribe = (page: Page) => dialog(page).getByRole('button', { name: 'Turn on in this browser' }).click();

  /** The push service delivers what it has decrypted to the service worker of the page. */
  async function deliver(page: Page, { raw }: SandboxMessage): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const { promise, resolve } = Promise.withResolvers<string>();
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId, isDeleted } of registrations) if (!isDeleted) resolve(registrationId);
    });
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.deliverPushMessage', {
      origin: fixture.url,
      registrationId: await promise,
      data: raw?.toString() ?? '',
    });
    await session.detach();
  }

  /** What the service worker shows from now on, instead of the browser. */
  async function watchNotifications(page: Page) {
    const [worker] = page.context().serviceWorkers();
    if (worker === undefined) throw new Error('The page has no service worker');
    await worker.evaluate(() => {
      const scope = globalThis as never as WorkerScope;
      scope.shown = [];
      scope.registration.showNotification = async (title, options) => {
        scope.shown.push({ title, ...options, close: () => void (scope.shown = []) });
      };
      // A window opens at the click of a person only.
      scope.clients.openWindow = async (path) => {
        scope.opened = path;
      };
    });
    return {
      shown: () =>
        worker.evaluate(() =>
          (globalThis as never as WorkerScope).shown.map(({ title, body }) => ({ title, body: body ?? '' })),
        ),
      /** Clicks the notification. Returns where the service worker leads. */
      click: () =>
        worker.evaluate(async () => {
          const scope = globalThis as never as WorkerScope;
          let done: Promise<unknown> = Promise.resolve();
          const waitUntil = (work: Promise<unknown>) => void (done = work);
          const [notification] = scope.shown;
          scope.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }));
          await done;
          return scope.opened;
        }),
    };
  }

  it('are turned on in the user menu, tried, and turned off again', async () => {
    const page = await open('/dashboard');
    await openDialog(page);
    await reads(page, ['Nobody in this workspace has turned push on yet.']);
    await subscribe(page);
    await toast(page, { title: 'Push turned on', text: 'This browser takes reminders from now on.' });
    await reads(page, ['Push reaches 1 browser of 1 member of this workspace.', / \(this one\)$/]);
    await expect.poll(() => page.evaluate(() => window.subscribedTo)).toBe(key);
    await dialog(page).getByRole('button', { name: 'Send a test' }).click();
    await toast(page, { title: 'Test sent', text: 'The push service has accepted the message.' });
    await dialog(page).getByText('last used').waitFor();
    const { shown } = await watchNotifications(page);
    await deliver(page, received[0]!);
    await expect
      .poll(shown)
      .toEqual([
        { title: 'Push notifications work', body: 'Reminders of Elm Street appear like this in this browser.' },
      ]);
    await expectGood(page, [390, 1440]);
    await dialog(page).getByRole('button', { name: 'Turn off in this browser' }).click();
    await toast(page, { title: 'Push turned off', text: 'No more reminders go to this browser.' });
    await reads(page, ['Nobody in this workspace has turned push on yet.']);
  });

  it('of a reminder open its job, in its workspace', async () => {
    const page = await open('/reminders/new?tab=channels');
    await page.getByRole('button', { name: 'Push To subscribed members' }).click();
    await reads(page, ['Nobody in this workspace has turned push on yet.']);
    await page.getByRole('button', { name: 'Turn on in this browser' }).click();
    await dialog(page).waitFor();
    await subscribe(page);
    await reads(page, ['Push reaches 1 browser of 1 member of this workspace.']);
    const text = { subject: 'Rent is due', message: 'Pay, please' };
    const { json: reminder } = await dana.call('POST', '/api/reminders', {
      workspace,
      body: {
        ...sampleReminder,
        content: { ...text, recipients: [] },
        metadata: { channels: ['push'] },
      },
    });
    const { json: sent } = await dana.call('POST', `/api/reminders/${reminder.id}/test`, {
      workspace,
      body: { ...text, push: true },
    });
    await expect.poll(() => received).toHaveLength(1);
    const { shown, click } = await watchNotifications(page);
    await deliver(page, received[0]!);
    await expect.poll(shown).toEqual([{ title: 'Rent is due', body: 'Pay, please' }]);
    const path = await click();
    expect(path).toBe(`/jobs?job=${sent.job_id}&workspace_id=${workspace}`);
    expect(await shown()).toEqual([]);
    const elsewhere = await dana.createWorkspace('Mill Road');
    const opened = await fixture.open(path, { as: dana, workspace: elsewhere });
    await opened.getByRole('dialog').getByText('Test: Rent').first().waitFor();
  });

  it('follow a browser whose push service gives it another address, and leave that of another person', async ({
    expect,
  }) => {
    const page = await open('/dashboard');
    await openDialog(page);
    await subscribe(page);
    await dialog(page).getByRole('button', { name: 'Send a test' }).waitFor();
    const ben = await fixture.signUp('Ben Hart');
    await addMember(fixture.owner, { workspace, userId: ben.userId, role: 'member' });
    const at = (name: string) => service.pushBrowserFor({ workspaceId: workspace, applicationServerKey: key, name });
    await ben.call('POST', '/api/push-browsers', { workspace, body: at('of-ben') });
    const [worker] = page.context().serviceWorkers();
    const change = (from: SandboxBrowser, to: SandboxBrowser) =>
      worker?.evaluate(
        async ([oldSubscription, newSubscription]) => {
          let done: Promise<unknown> = Promise.resolve();
          const waitUntil = (work: Promise<unknown>) => void (done = work);
          const event = new Event('pushsubscriptionchange');
          dispatchEvent(Object.assign(event, { oldSubscription, newSubscription, waitUntil }));
          await done;
        },
        [from, to],
      );
    await change(at('laptop'), at('laptop-later'));
    await change(at('of-ben'), at('stolen'));
    const { rows } = await fixture.owner.query(
      'select user_id, endpoint from push_browsers where workspace_id = $1 order by created_at',
      [workspace],
    );
    expect(rows).toEqual([
      { user_id: ben.userId, endpoint: at('of-ben').endpoint },
      { user_id: dana.userId, endpoint: at('laptop-later').endpoint },
    ]);
  });

  it('end where their owner signs out, at the server and in the browser', async () => {
    const page = await open('/dashboard');
    await openDialog(page);
    await subscribe(page);
    await dialog(page).getByRole('button', { name: 'Send a test' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/auth/);
    const { rows } = await fixture.owner.query('select from push_browsers where workspace_id = $1', [workspace]);
    expect(rows).toEqual([]);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('test.subscribed'))).toBeNull();
  });

  it('say what hinders a browser that blocks them', async () => {
    const page = await fixture.open('/dashboard', { as: dana, workspace, width: 390 });
    await openDialog(page);
    await reads(page, [/^Notifications of Cuebird are blocked in this browser/]);
  });

  it('can be ended in a browser that is not at hand', async () => {
    const keys = service.pushBrowserFor({ workspaceId: workspace, applicationServerKey: key, name: 'phone' });
    const headers = { 'user-agent': 'Mozilla/5.0 (iPhone) Version/19.0 Safari/605.1' };
    await dana.call('POST', '/api/push-browsers', { workspace, body: keys, headers });
    const page = await open('/dashboard');
    await openDialog(page);
    await reads(page, ['Safari on iPhone', 'Push reaches 1 browser of 1 member of this workspace.']);
    await dialog(page).getByRole('button', { name: 'End push on Safari on iPhone' }).click();
    await toast(page, { title: 'Push turned off', text: 'No more reminders go to Safari on iPhone.' });
    await reads(page, ['Nobody in this workspace has turned push on yet.']);
  });
});
