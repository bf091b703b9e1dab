import type { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Action, acts } from '#contract/acts.ts';
import type { RouteName } from '#contract/routes.ts';
import { sweepOnce } from '#engine/maintenance/archiver.ts';
import { pauseDeliveries } from '#engine/pause/delivery-pause.ts';
import { prepareAdminSetup } from '#features/auth/admin-setup.service.ts';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { authenticatorOf } from '#testing/authenticator.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { addMember } from '#testing/owner.ts';
import {
  insertAccountThings,
  insertInvitation,
  insertMember,
  insertThings,
  type Things,
} from '#testing/sample-rows.ts';
import { insertBackup } from '#testing/sample-backup.ts';
import { insertSupportRequest } from '#testing/sample-support-request.ts';
import { sampleReminder } from '#testing/samples.ts';
import { sendSample } from '#testing/send-sample.ts';

const password = 'correct horse battery';

/** No requests: new timezone data (`src/engine/maintenance/tz-data.test.ts`), webhooks that failed for days (`src/engine/webhooks/webhook-sender.test.ts`), and payments (`src/features/billing/billing.test.ts`, `plan-ends.test.ts`). */
const elsewhere = [
  'schedule.tz_data_changed',
  'billing.plan_changed',
  'billing.plan_cancelled',
  'billing.plan_continued',
  'billing.plan_ended',
  'billing.payment_failed',
  'billing.plan_unpaid',
  'webhook.disabled',
] as const satisfies Action[];

describe('each act of the audit log is recorded by what does it', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let engine: Pool;
  let auth: Pool;
  let dana: TestPerson;
  let workspace: string;
  let things: Things;
  let close: () => Promise<void>;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ hasLimits: true });
    owner = cuebird.owner;
    const database = openDatabase(cuebird.databaseUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
    ({ engine, auth, close } = database);
    dana = await cuebird.signUp('Dana');
    await owner.query('update profiles set is_system_admin = true where id = $1', [dana.userId]);
    workspace = await dana.createWorkspace('Elm Street');
    things = await newThings();
    await insertSupportRequest(owner);
  });
  afterAll(async () => {
    await close();
    await cuebird.stop();
  });

  const newThings = () => insertThings(owner, { workspace, userId: dana.userId });

  async function request(name: RouteName, of = things): Promise<void> {
    const headers = { cookie: dana.cookie, 'x-workspace-id': workspace };
    const { status, text } = await sendSample(cuebird.url, { name, things: of, headers });
    expect(status, `${name}: ${text}`).toBeLessThan(300);
  }
  const call = async (method: string, path: string, body?: object, as = dana) => {
    const { status, json } = await as.call(method, path, { workspace, ...(body && { body }) });
    expect(status, `${path}: ${JSON.stringify(json)}`).toBeLessThan(300);
    return json;
  };

  /** Sends a form of sign-in. Returns the answer, and the cookie of a session that began. */
  async function post(path: string, body: object, cookie = ''): Promise<{ status: number; json: any; cookie: string }> {
    const response = await fetch(`${cuebird.url}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: cuebird.url, cookie },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
    return { status: response.status, json: text === '' ? null : JSON.parse(text), cookie: cookies.join('; ') };
  }
  const signIn = ({ email }: { email: string }, given = password) => post('/sign-in/email', { email, password: given });

  let people = 0;
  const newcomer = () => cuebird.signUp(`Person ${(people += 1)}`);

  /** Somebody with a second factor. */
  async function withSecondFactor() {
    const person = await newcomer();
    const { json } = await post('/two-factor/enable', { password }, person.cookie);
    const app = authenticatorOf(json.totpURI);
    const { cookie } = await post('/two-factor/verify-totp', { code: app.code() }, person.cookie);
    return { person: { ...person, cookie }, codes: json.backupCodes as string[] };
  }

  async function newMember() {
    const fresh = await newThings();
    await insertMember(owner, fresh);
    return fresh;
  }
  /** An admin with a key. */
  async function keyOwner(): Promise<{ id: string; membership: string }> {
    const person = await newcomer();
    await addMember(owner, { workspace, userId: person.userId, role: 'admin' });
    const { id } = await call('POST', '/api/api-keys', { name: 'CRM', scopes: ['read'] }, person);
    const { rows } = await owner.query<{ id: string }>('select id from workspace_members where user_id = $1', [
      person.userId,
    ]);
    return { id, membership: rows[0]?.id ?? '' };
  }
  async function newInvitation(email = `${crypto.randomUUID()}@example.com`) {
    const fresh = await newThings();
    await insertInvitation(owner, fresh, { email });
    return fresh;
  }

  async function tokenOfMail(recipient: string): Promise<string> {
    const read = async () => {
      const { rows } = await owner.query<{ text: string }>(
        'select body_text as text from sandbox_messages where workspace_id is null and recipient = $1 order by id desc',
        [recipient],
      );
      return rows.map(({ text }) => /token=([\w.-]+)/.exec(text)?.[1]).find((token) => token !== undefined) ?? '';
    };
    await expect.poll(read).not.toBe('');
    return read();
  }

  const updateChannel = (body: object, { channel } = things) => call('PATCH', `/api/channels/${channel}`, body);
  const slackChannel = (configuration: object) =>
    call('POST', '/api/channels', {
      name: 'Team',
      type: 'slack',
      configuration: { method: 'bot', bot_token: 'xoxb-1', channel: '#general', ...configuration },
    });
  const updateWorkspace = (body: object) => call('PATCH', `/api/workspaces/${workspace}`, body);
  const publish = (isPublic: boolean) => call('PATCH', `/api/templates/${things.template}`, { is_public: isPublic });
  const suspended = async () => {
    const person = await newcomer();
    await call('PUT', `/api/admin/people/${person.userId}/suspension`);
    return person;
  };
  const suspendedWorkspace = async () => {
    const id = await dana.createWorkspace('Mill Road');
    await call('PUT', `/api/admin/workspaces/${id}/suspension`);
    return id;
  };
  const liftedWorkspace = async () => call('DELETE', `/api/admin/workspaces/${await suspendedWorkspace()}/suspension`);
  const newAdministrator = async () => {
    const person = await newcomer();
    await call('PUT', `/api/admin/people/${person.userId}/administration`);
    return person;
  };
  const hookPath = () => `/api/reminders/${things.hookedReminder}/hook`;

  const doing: Record<Exclude<Action, (typeof elsewhere)[number]>, () => Promise<unknown>> = {
    'sign_in.succeeded': async () => signIn(await newcomer()),
    'sign_in.failed': async () => signIn(await newcomer(), 'wrong'),
    'sign_in.signed_out': async () => post('/sign-out', {}, (await newcomer()).cookie),
    'sign_in.ended': async () => {
      await insertAccountThings(owner, things, dana);
      await request('signOutDevice');
    },
    'sign_in.others_ended': async () => {
      await signIn(dana);
      await request('signOutOthers');
    },
    'account.created': newcomer,
    'account.email_confirmed': async () => {
      const { email } = await newcomer();
      await post('/send-verification-email', { email });
      await post('/verify-email', { token: await tokenOfMail(email) });
    },
    'account.reset_requested': async () => post('/request-password-reset', { email: dana.email }),
    'account.password_reset': async () => {
      const { email } = await newcomer();
      await post('/request-password-reset', { email });
      await post('/reset-password', { newPassword: 'another horse', token: await tokenOfMail(email) });
    },
    'account.password_changed': async () =>
      call(
        'POST',
        '/api/account/password',
        { current_password: password, new_password: 'another horse' },
        await newcomer(),
      ),
    'account.email_changed': async () => {
      const person = await newcomer();
      const emailToken = crypto.randomUUID();
      await insertAccountThings(
        owner,
        { device: crypto.randomUUID(), emailToken, paymentPage: `page_${crypto.randomUUID()}` },
        { userId: person.userId, email: `new.${person.email}` },
      );
      await call('POST', '/api/account/email/confirm', { token: emailToken }, person);
    },
    'account.two_factor_enabled': withSecondFactor,
    'account.two_factor_disabled': async () =>
      post('/two-factor/disable', {}, (await withSecondFactor()).person.cookie),
    'account.recovery_codes_renewed': async () =>
      post('/two-factor/generate-backup-codes', {}, (await withSecondFactor()).person.cookie),
    'account.recovery_code_used': async () => {
      const { person, codes } = await withSecondFactor();
      const { cookie } = await signIn(person);
      await post('/two-factor/verify-backup-code', { code: codes[0] ?? '' }, cookie);
    },
    'account.name_changed': () => call('PATCH', '/api/profile', { full_name: 'Dana Owens' }),
    'account.data_downloaded': () => request('downloadOwnData'),
    'account.deleted': async () => {
      const person = await newcomer();
      await call('POST', '/api/profile/delete', { email: person.email }, person);
    },
    'member.role_changed': async () => request('setMemberRole', await newMember()),
    'member.removed': async () => request('removeMember', await newMember()),
    'member.left': async () => {
      const person = await newcomer();
      await addMember(owner, { workspace, userId: person.userId, role: 'member' });
      await call('POST', `/api/workspaces/${workspace}/leave`, undefined, person);
    },
    'invitation.created': () => request('createInvitation'),
    'invitation.sent_again': async () => request('resendInvitation', await newInvitation()),
    'invitation.revoked': async () => request('revokeInvitation', await newInvitation()),
    'invitation.declined': async () => request('declineInvitation', await newInvitation()),
    'invitation.accepted': async () => {
      const person = await newcomer();
      const { invitationToken } = await newInvitation(person.email);
      await call('POST', `/api/invitations/${invitationToken}/accept`, undefined, person);
    },
    'workspace.created': () => request('createWorkspace'),
    'workspace.renamed': () => updateWorkspace({ name: 'Elm Lane' }),
    'workspace.details_changed': () => updateWorkspace({ description: 'Flats' }),
    'workspace.picture_changed': () => request('setWorkspacePicture'),
    'workspace.settings_changed': () => updateWorkspace({ settings: { retentionDays: 90 } }),
    'workspace.signing_secret_created': () => call('POST', '/api/signing-secret'),
    'workspace.signing_secret_shown': () => call('POST', '/api/signing-secret'),
    'workspace.signing_secret_rotated': () => call('POST', '/api/signing-secret/rotate'),
    'workspace.transferred': async () => {
      await request('transferOwnership', await newMember());
      await owner.query("update workspace_members set role = 'owner' where workspace_id = $1 and user_id = $2", [
        workspace,
        dana.userId,
      ]);
    },
    'workspace.deletion_requested': async () => {
      await updateWorkspace({ name: 'Elm Street' });
      await request('deleteWorkspace');
      await request('restoreWorkspace');
    },
    'workspace.restored': async () => {
      await request('deleteWorkspace');
      await request('restoreWorkspace');
    },
    'workspace.suspended': suspendedWorkspace,
    'workspace.suspension_lifted': liftedWorkspace,
    'workspace.deleted': async () => {
      await owner.query("update workspaces set delete_after = now() - interval '2 hours' where id = $1", [
        await dana.createWorkspace('Mill Road'),
      ]);
      const log = createLog('silent');
      await sweepOnce(
        { pool: engine, clock: systemClock, log, isPaused: async () => false },
        new AbortController().signal,
      );
    },
    'api_key.created': () => request('createApiKey'),
    'api_key.rotated': () => request('rotateApiKey'),
    'api_key.revoked': () => request('revokeApiKey'),
    'api_key.transferred': async () => {
      const { id, membership } = await keyOwner();
      const { rows } = await owner.query<{ id: string }>(
        'select id from workspace_members where workspace_id = $1 and user_id = $2',
        [workspace, dana.userId],
      );
      const transfer = { transfer: { keys: [id], to: rows[0]?.id } };
      await call('DELETE', `/api/workspaces/${workspace}/members/${membership}`, transfer);
    },
    'api_key.ended': async () => {
      const { membership } = await keyOwner();
      await call('DELETE', `/api/workspaces/${workspace}/members/${membership}`, {});
    },
    'channel.created': () => request('createChannel'),
    'channel.destination_changed': () => updateChannel({ configuration: { url: 'http://127.0.0.1:3/' } }),
    'channel.secrets_changed': () =>
      updateChannel({ configuration: { url: 'http://127.0.0.1:3/', secret: 'a shared secret of ours' } }),
    'channel.callback_renewed': async () => {
      const { membership } = await keyOwner();
      const configuration = { smtp_host: '127.0.0.1', smtp_port: 2, username: 'a@elm.example', use_tls: false };
      const { id } = await call('POST', '/api/channels', { name: 'Mail', type: 'email', configuration });
      await call('DELETE', `/api/workspaces/${workspace}/members/${membership}`, { renew_callbacks: [id] });
    },
    'channel.mentions_allowed': () => slackChannel({ allow_mentions: true }),
    'channel.mentions_forbidden': async () => {
      const { id } = await slackChannel({ allow_mentions: true });
      await call('PATCH', `/api/channels/${id}`, { configuration: { method: 'bot', channel: '#general' } });
    },
    'channel.renamed': () => request('updateChannel'),
    'channel.activated': async () => {
      await updateChannel({ is_active: false });
      await updateChannel({ is_active: true });
    },
    'channel.deactivated': () => updateChannel({ is_active: false }),
    'channel.deleted': async () => request('deleteChannel', await newThings()),
    'hook.rotated': () => request('rotateHook'),
    'hook.secret_set': () => request('setHookSecret'),
    'hook.secret_removed': async () => {
      await request('setHookSecret');
      await call('PUT', hookPath(), { secret: null });
    },
    'webhook.created': async () => {
      // A workspace may have few.
      await owner.query('delete from webhooks where workspace_id = $1', [workspace]);
      await request('createWebhook');
    },
    'webhook.changed': async () =>
      call('PATCH', `/api/webhooks/${(await newThings()).webhook}`, { activity_types: ['job.failed'] }),
    'webhook.deactivated': async () => request('updateWebhook', await newThings()),
    'webhook.activated': async () => {
      const of = await newThings();
      await request('updateWebhook', of);
      await call('PATCH', `/api/webhooks/${of.webhook}`, { is_active: true });
    },
    'webhook.deleted': async () => request('deleteWebhook', await newThings()),
    'export.contacts': () => request('exportContacts'),
    'export.consents': () => request('exportConsents'),
    'export.analytics': () => request('exportDeliveryAnalytics'),
    'export.jobs': () => request('exportJobs'),
    'export.executions': () => request('exportJobExecutions'),
    'export.report': () => request('exportReport'),
    'export.report_mailed': () => request('mailReport'),
    'monthly_report.created': () => request('createMonthlyReport'),
    'monthly_report.changed': async () => {
      const { id } = await call('POST', '/api/monthly-reports', { address: 'first@example.com' });
      await call('PATCH', `/api/monthly-reports/${id}`, { address: 'second@example.com' });
    },
    'monthly_report.deleted': async () => {
      const { id } = await call('POST', '/api/monthly-reports', { address: 'third@example.com' });
      await call('DELETE', `/api/monthly-reports/${id}`);
    },
    'monthly_report.stopped': async () => {
      const { id } = await call('POST', '/api/monthly-reports', { address: 'fourth@example.com' });
      const token = createUnsubscribeTokens(createSecretBox(TEST_ENCRYPTION_KEY)).seal({
        stops: 'monthly_report',
        workspaceId: workspace,
        recipient: 'fourth@example.com',
        id,
      });
      await fetch(`${cuebird.url}/api/unsubscribe/${token}`, { method: 'POST' });
    },
    'export.deliveries': () => request('exportDeliveries'),
    'export.ledger': () => request('exportLedger'),
    'export.workspace': () => request('exportWorkspace'),
    'export.calendar_created': () => request('createCalendarFeed'),
    'export.calendar_ended': async () => request('endCalendarFeed', await newThings()),
    'export.audit_log': () => request('exportActs'),
    'engine.paused': async () => {
      const client = await engine.connect();
      await pauseDeliveries(client, Temporal.Now.instant()).finally(() => client.release());
    },
    'engine.released': () => request('resumeDeliveries'),
    'reminders.paused': () => request('pauseAllReminders'),
    'reminders.resumed': async () => {
      await request('pauseAllReminders');
      await request('resumeAllReminders');
    },
    'reminder.created': () => request('createReminder'),
    'reminder.activated': async () => {
      const { id } = await call('POST', '/api/reminders', { ...sampleReminder, status: 'draft' });
      await call('PATCH', `/api/reminders/${id}`, { status: 'active' });
    },
    'reminder.tested': () => request('testReminder'),
    'job.paused': async () => request('pauseJob', await newThings()),
    'job.resumed': async () => request('resumeJob', await newThings()),
    'job.retried': async () => request('retryJob', await newThings()),
    'job.cancelled': async () => request('cancelJob', await newThings()),
    'message.sent': () => request('sendNotification'),
    'event.sent': () => request('sendEvent'),
    'event.repeated': async () => request('repeatEvent', await newThings()),
    'reminder.edited': async () => request('updateReminder', await newThings()),
    'reminder.paused': async () => request('setReminderStatus', await newThings()),
    'reminder.resumed': async () => {
      const { reminder } = await newThings();
      await call('PATCH', `/api/reminders/${reminder}`, { status: 'active' });
    },
    'reminder.calendar_added': async () => {
      // A workspace may have few.
      await owner.query('delete from calendar_sources where workspace_id = $1', [workspace]);
      await request('createCalendarSource');
    },
    'reminder.calendar_changed': async () => request('updateCalendarSource', await newThings()),
    'reminder.calendar_removed': async () => request('removeCalendarSource', await newThings()),
    'reminder.deleted': async () => request('deleteReminder', await newThings()),
    'reminder.restored': async () => {
      const fresh = await newThings();
      await request('deleteReminder', fresh);
      await request('restoreReminders', fresh);
    },
    'template.published': async () => {
      await publish(false);
      await publish(true);
    },
    'template.unpublished': async () => {
      await publish(true);
      await publish(false);
    },
    'workspace.imported': () => request('importWorkspace'),
    'contacts.imported': () => request('importContacts'),
    'contacts.import_undone': () => request('undoImport'),
    'contacts.added': () =>
      call('POST', '/api/contacts', { name: 'Anna', email: `${crypto.randomUUID()}@example.com` }),
    'contacts.changed': async () => {
      const { id } = await call('POST', '/api/contacts', { name: 'Bert' });
      await call('PUT', `/api/contacts/${id}`, { name: 'Bert Brown' });
    },
    'contacts.tagged': async () => {
      const { id } = await call('POST', '/api/contacts', { name: 'Carl' });
      await call('POST', '/api/contact-tags', { contacts: { ids: [id] }, add: ['tenant'] });
    },
    'contacts.paused': () => request('pauseContact'),
    'contacts.pause_ended': async () => {
      await request('pauseContact');
      await request('endPauseOfContact');
    },
    'contacts.skipped': () => request('skipRun'),
    'contacts.skip_ended': async () => {
      const fresh = await newThings();
      await request('skipRun', fresh);
      await request('endSkip', fresh);
    },
    'contacts.deleted': async () => request('deleteContacts', await newThings()),
    'suppression.added': () => request('addSuppression'),
    'suppression.removed': () => request('removeSuppression'),
    'suppression.narrowed': async () => request('updateSuppression', await newThings()),
    'consent.given': () => request('recordConsents'),
    'consent.withdrawn': () =>
      call('POST', '/api/consents', {
        consents: [{ channel: 'email', recipient: 'anna@example.com', kind: 'withdrawn', how: 'writing' }],
      }),
    'erasure.begun': () => request('erasePerson'),
    'erasure.exported': () => request('exportPerson'),
    'topic.created': () => request('createTopic'),
    'topic.changed': () => request('updateTopic'),
    'topic.made_optional': async () => {
      const { id } = await call('POST', '/api/topics', { name: 'Notices', kind: 'required', why: 'law' });
      await call('PATCH', `/api/topics/${id}`, { kind: 'optional' });
    },
    'topic.archived': () => call('PATCH', `/api/topics/${things.topic}`, { is_archived: true }),
    'topic.restored': async () => {
      await call('PATCH', `/api/topics/${things.topic}`, { is_archived: true });
      await call('PATCH', `/api/topics/${things.topic}`, { is_archived: false });
    },
    'admin.setup_completed': async () => {
      await owner.query('update profiles set is_system_admin = false');
      const token = await prepareAdminSetup(auth);
      await call('POST', '/api/admin/setup', { token });
    },
    'admin.setting_changed': () => call('PATCH', '/api/admin/settings', { apiRequestsPerHour: 1_000 }),
    'admin.support_answered': () => request('answerSupportRequest'),
    'admin.support_closed': () => request('closeSupportRequest'),
    'admin.support_reopened': async () => {
      await request('closeSupportRequest');
      await request('reopenSupportRequest');
    },
    'admin.alert_dismissed': async () => {
      await owner.query(
        "insert into alerts (cause, day, detail, first_at, last_at) values ('disk_nearly_full', '2026-03-02', 'Full.', now(), now())",
      );
      await request('dismissAlert');
    },
    'admin.backup_downloaded': async () => {
      await insertBackup(cuebird.dataDir);
      await request('downloadBackup');
    },
    'admin.person_suspended': suspended,
    'admin.suspension_lifted': async () => call('DELETE', `/api/admin/people/${(await suspended()).userId}/suspension`),
    'admin.person_verified': async () => call('PUT', `/api/admin/people/${(await newcomer()).userId}/verification`),
    'admin.person_signed_out': async () => call('DELETE', `/api/admin/people/${(await newcomer()).userId}/sessions`),
    'admin.administrator_made': newAdministrator,
    'admin.administrator_removed': async () =>
      call('DELETE', `/api/admin/people/${(await newAdministrator()).userId}/administration`),
    'admin.workspace_suspended': suspendedWorkspace,
    'admin.workspace_suspension_lifted': liftedWorkspace,
    'admin.workspace_restored': async () => {
      const id = await dana.createWorkspace('Mill Road');
      await owner.query("update workspaces set delete_after = now() + interval '3 days' where id = $1", [id]);
      await call('DELETE', `/api/admin/workspaces/${id}/deletion`);
    },
  };

  it('but for what other tests do', () => {
    expect([...Object.keys(doing), ...elsewhere].sort()).toEqual(Object.keys(acts).sort());
  });

  it.each(Object.entries(doing))('%s', async (action, act) => {
    const count = async () =>
      (await owner.query<{ count: number }>('select count(*)::int as count from audit_log where action = $1', [action]))
        .rows[0]?.count ?? 0;
    const before = await count();
    await act();
    await expect.poll(count).toBeGreaterThan(before);
  });
});
