import { randomBytes, randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { z } from 'zod';
import { type RouteName, type Routes, routes } from '#contract/routes.ts';
import { hookToken } from '#features/events/hook-token.ts';
import { hookKeyOf } from '#features/events/hooks.service.ts';
import { hashOfToken } from '#platform/token-hash.ts';
import { workspaceToken } from '#platform/workspace-token.ts';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { samplePicture } from '#testing/sample-picture.ts';

/** The objects of a workspace that requests refer to. */
export type Things = {
  workspace: string;
  reminder: string;
  pendingJob: string;
  pausedJob: string;
  failedJob: string;
  /** The execution of the paused job, which was sent to one recipient. */
  execution: string;
  channel: string;
  wahaChannel: string;
  mail: string;
  sms: string;
  /** A reminder that waits for a custom webhook. */
  hookedReminder: string;
  /** The key of a received event. */
  eventKey: string;
  apiKey: string;
  contact: string;
  /** An import that can be undone. */
  contactImport: string;
  contactGroup: string;
  suppression: string;
  /** A public template with one version. */
  template: string;
  templateCategory: string;
  /** A membership; no row has this id until `insertMember` is called, as most tests count their own members. */
  member: string;
  /** The person of this membership, who cannot sign in. */
  person: string;
  /** An invitation and the token of its link; there is none until `insertInvitation` is called. */
  invitation: string;
  invitationToken: string;
  /** A session and a change of address that waits; there are none until `insertAccountThings` is called. */
  device: string;
  emailToken: string;
};

/** The tokens that the terminal prints. */
export type Tokens = { adminSetup: string; demo: string; accountMail: string };

/** Inserts one of each object into a workspace, as the owner of the database. */
export async function insertThings(
  owner: Client,
  { workspace, userId }: { workspace: string; userId: string },
): Promise<Things> {
  const ids = {
    workspace,
    reminder: randomUUID(),
    pendingJob: randomUUID(),
    pausedJob: randomUUID(),
    failedJob: randomUUID(),
    channel: randomUUID(),
    mail: randomUUID(),
    hookedReminder: randomUUID(),
    eventKey: randomUUID(),
    apiKey: randomUUID(),
  };
  const { name, schedule_config: schedule, content, metadata } = sampleReminder;
  await owner.query(
    `with reminder as (
       insert into reminders (id, workspace_id, created_by, name, status, schedule_config, content, metadata)
       values ($2, $1, $11, $12, 'paused', $13, $14, $15), ($8, $1, $11, 'Contact form', 'paused', $16, $14, $15)
     ), jobs as (
       insert into jobs (id, workspace_id, reminder_id, name, type, status, scheduled_for, run_at, paused_at)
       select u.id, $1, $2, 'Rent', 'api_notification', u.status, '2099-01-01Z', '2099-01-01Z', case u.status when 'paused' then now() end
         from (values ($3::uuid, 'pending'), ($4, 'paused'), ($5, 'failed')) as u (id, status)
     ), channel as (
       insert into channels (id, workspace_id, name, type, configuration)
       values ($6, $1, 'Hook', 'webhook', '{"url": "http://127.0.0.1:2/"}')
     ), event as (
       insert into events (workspace_id, key, event, request_hash, occurred_at) values ($1, $9, 'user_signup', 'h', now())
       returning id
     ), payload as (
       insert into event_payloads (event_id, workspace_id, payload) select id, $1, '{}' from event
     ), report as (
       insert into received_reports (workspace_id, channel, provider, name, kind, sender, sent_at, received_at)
       values ($1, 'sms', 'twilio', $9, 'stopped', '+15005550006', now(), now())
     ), api_key as (
       insert into api_keys (id, workspace_id, name, role, prefix, token_hash) values ($10, $1, 'CRM', 'member', 'cue_', $10::uuid::text)
     )
     insert into sandbox_messages (id, workspace_id, channel, sender, recipient, subject, body_text, body_html, raw_size)
     values ($7, $1, 'email', 'a@example.com', 'b@example.com', 'Rent', 'Due', '<p>Due</p>', 3)`,
    [...Object.values(ids), userId, name, schedule, content, metadata, hooked],
  );
  const sms = randomUUID();
  await owner.query(
    `insert into sandbox_messages (id, workspace_id, channel, provider, sender, recipient, subject, body_text, segments, raw_size)
     values ($1, $2, 'sms', 'twilio', '+15005550006', '+14155552671', '', 'The rent of June is due.', 1, 100)`,
    [sms, workspace],
  );
  await owner.query(
    `insert into sandbox_simulated_failures (workspace_id, channel, failure) values ($1, 'push', '{"kind": "hang"}')
     on conflict do nothing`,
    [workspace],
  );
  await owner.query(
    `insert into pictures (workspace_id, media_type, sha256, bytes) values ($1, 'image/png', $2, $3)
     on conflict (workspace_id) do nothing`,
    [workspace, samplePicture.sha256, samplePicture.bytes],
  );
  const wahaChannel = randomUUID();
  await owner.query(
    `insert into channels (id, workspace_id, name, type, configuration)
     values ($1, $2, 'Our phone', 'whatsapp', '{"provider": "waha", "base_url": "http://127.0.0.1:2", "session_name": "default"}')`,
    [wahaChannel, workspace],
  );
  const execution = randomUUID();
  await owner.query(
    `insert into job_executions (id, workspace_id, job_id, status, started_at) values ($1, $2, $3, 'completed', '2026-01-01Z')`,
    [execution, workspace, ids.pausedJob],
  );
  await owner.query(
    `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status)
     values ($1, $2, '2099-01-01Z', 'email', 'sent@example.com', 'skipped')`,
    [workspace, ids.pausedJob],
  );
  const [contact, suppression] = [randomUUID(), randomUUID()];
  await owner.query('insert into contacts (id, workspace_id, name, email, email_key) values ($1, $2, $3, $4, $4)', [
    contact,
    workspace,
    'Anna Smith',
    `${contact}@example.com`,
  ]);
  await owner.query(
    "insert into suppressions (id, workspace_id, channel, recipient, reason) values ($1, $2, 'email', $3, 'manual')",
    [suppression, workspace, `${suppression}@example.com`],
  );
  const contactImport = randomUUID();
  await owner.query(
    `insert into contact_import_changes (workspace_id, import_id, contact_id, imported_at) values ($1, $2, $3, now())`,
    [workspace, contactImport, contact],
  );
  const contactGroup = randomUUID();
  await owner.query('insert into contact_groups (id, workspace_id, name, rule) values ($1, $2, $3, $4)', [
    contactGroup,
    workspace,
    `Tenants ${contactGroup}`,
    sampleRule,
  ]);
  const { template, templateCategory } = await insertTemplate(owner, workspace);
  return {
    ...ids,
    execution,
    sms,
    wahaChannel,
    contact,
    contactImport,
    contactGroup,
    suppression,
    template,
    templateCategory,
    member: randomUUID(),
    person: randomUUID(),
    invitation: randomUUID(),
    invitationToken: workspaceToken(workspace, randomBytes(32)),
    device: randomUUID(),
    emailToken: randomUUID(),
  };
}

/** Inserts the member of these things, somebody with a picture who cannot sign in. */
export const insertMember = (
  owner: Client,
  { workspace, member, person }: Pick<Things, 'workspace' | 'member' | 'person'>,
) =>
  owner.query(
    `with person as (
       insert into profiles (id, email, full_name) values ($3, $2::text || '@example.com', 'Mia Lane') returning id
     ), picture as (
       insert into pictures (user_id, media_type, sha256, bytes) select id, 'image/png', $4, $5 from person
     )
     insert into workspace_members (id, workspace_id, user_id, role) select $2::text::uuid, $1, id, 'member' from person`,
    [workspace, member, person, samplePicture.sha256, samplePicture.bytes],
  );

/** Inserts the invitation of these things, for an address. */
export const insertInvitation = (
  owner: Client,
  { workspace, invitation, invitationToken: token }: Pick<Things, 'workspace' | 'invitation' | 'invitationToken'>,
  { email }: { email: string },
) =>
  owner.query(
    `insert into workspace_invitations (id, workspace_id, email, role, token_hash, expires_at)
     values ($1, $2, $3, 'member', $4, now() + interval '7 days')`,
    [invitation, workspace, email, hashOfToken(token)],
  );

/** Inserts a second browser of a person, and a change of their address, to the one that they have. */
export const insertAccountThings = (
  owner: Client,
  { device, emailToken }: Pick<Things, 'device' | 'emailToken'>,
  { userId, email }: { userId: string; email: string },
) =>
  owner.query(
    `with device as (
       insert into auth_sessions (id, user_id, token, expires_at) values ($1::uuid, $2, $1::uuid::text, now() + interval '1 day')
     )
     insert into auth_email_changes (user_id, email, token_hash, expires_at) values ($2::uuid, $3, $4, now() + interval '1 day')
     on conflict (user_id) do update set email = excluded.email, token_hash = excluded.token_hash`,
    [device, userId, email, hashOfToken(emailToken)],
  );

/** Inserts a template with its category, in a workspace that publishes its public templates. */
async function insertTemplate(owner: Client, workspace: string) {
  const [template, templateCategory] = [randomUUID(), randomUUID()];
  await owner.query(`update workspaces set settings = settings || '{"allowPublicTemplates": true}' where id = $1`, [
    workspace,
  ]);
  await owner.query(
    "insert into template_categories (id, workspace_id, name, color) values ($1, $2, 'Rent', '#ef4444')",
    [templateCategory, workspace],
  );
  await owner.query(
    `with template as (
       insert into templates (id, workspace_id, category_id, is_public, name, description, content, variables)
       values ($1, $2, $3, true, $4, $5, $6, $7)
     )
     insert into template_versions (workspace_id, template_id, version, name, description, content, variables)
     values ($2, $1, 1, $4, $5, $6, $7)`,
    [
      template,
      workspace,
      templateCategory,
      sampleTemplate.name,
      sampleTemplate.description,
      sampleTemplate.content,
      sampleTemplate.variables,
    ],
  );
  return { template, templateCategory };
}

const sampleRule = { match: 'all' as const, conditions: [{ test: 'has_tag' as const, tag: 'tenant' }] };

const hooked = { type: 'event-based', eventTrigger: 'custom_webhook', timezone: 'UTC' };

/** A valid reminder that never runs by itself. */
export const sampleReminder = {
  name: 'Rent',
  description: 'Every first of the month',
  status: 'paused',
  schedule_config: { type: 'scheduled', scheduleType: 'monthly', startDate: '2026-01-01T09:00:00', timezone: 'UTC' },
  content: { subject: 'Rent is due', message: 'Dear {{recipient_name}}', recipients: ['Dana <dana@example.com>'] },
  metadata: { channels: ['email'], priority: 'medium' },
} as const satisfies z.input<Routes['createReminder']['body']>;

export const sampleTemplate = {
  name: 'Rent reminder',
  description: 'Before the first of the month',
  content: { subject: 'Rent of {{amount}}', body: 'Dear {{recipient_name}}, {{amount}} is due.', type: 'email' },
  variables: {
    variables: [{ name: 'amount', type: 'number', description: '', required: true, defaultValue: '' }],
  },
} as const satisfies z.input<Routes['createTemplate']['body']>;

/** A browser's subscription, with keys of the correct length. */
export const samplePushSubscription = {
  endpoint: 'http://127.0.0.1:2/wpush/1',
  keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') },
};

/** All test installations use the same key. */
const hookKey = hookKeyOf(createSecretBox(TEST_ENCRYPTION_KEY));

/** Required when the route's part has required fields. */
type Part<R, Key extends 'params' | 'query' | 'body'> =
  R extends Record<Key, infer Shape extends z.ZodType>
    ? Record<never, never> extends z.input<Shape>
      ? { [K in Key]?: z.input<Shape> }
      : { [K in Key]: z.input<Shape> }
    : { [K in Key]?: never };

type Sample<R> = Part<R, 'params'> & Part<R, 'query'> & Part<R, 'body'>;

/** One valid request for every route of the contract: a new route without one does not compile. */
const samples: { [Name in RouteName]: (things: Things, tokens: Tokens) => Sample<Routes[Name]> } = {
  getConfig: () => ({}),
  getHealth: () => ({}),
  getReady: () => ({}),
  enterDemo: (_, { demo }) => ({ query: { token: demo } }),
  getAccount: () => ({}),
  changePassword: () => ({
    body: { current_password: 'correct horse battery', new_password: 'correct horse battery' },
  }),
  changeEmail: () => ({ body: { email: `${randomUUID()}@example.com` } }),
  confirmEmail: ({ emailToken }) => ({ body: { token: emailToken } }),
  cancelEmailChange: () => ({}),
  listDevices: () => ({}),
  signOutDevice: ({ device }) => ({ params: { id: device } }),
  signOutOthers: () => ({}),
  completeAdminSetup: (_, { adminSetup }) => ({ body: { token: adminSetup } }),
  getReauthentication: () => ({}),
  reauthenticate: () => ({ body: { password: 'correct horse battery' } }),
  mailReauthenticationCode: () => ({}),
  getTwoFactor: () => ({}),
  getDeliveryPause: () => ({}),
  resumeDeliveries: () => ({ body: { overdue: 'by_rule' } }),
  findPerson: ({ member }) => ({ query: { email: `${member}@example.com` } }),
  suspendPerson: ({ person }) => ({ params: { id: person } }),
  liftSuspension: ({ person }) => ({ params: { id: person } }),
  openStream: ({ workspace }) => ({ query: { workspace } }),
  getOpenApi: () => ({}),
  listWorkspaces: () => ({}),
  createWorkspace: () => ({ body: { name: 'Elm Street' } }),
  getWorkspace: ({ workspace }) => ({ params: { id: workspace } }),
  updateWorkspace: ({ workspace }) => ({ params: { id: workspace }, body: { name: 'Elm Street 2' } }),
  listMembers: ({ workspace }) => ({ params: { id: workspace } }),
  setMemberRole: ({ workspace, member }) => ({ params: { id: workspace, member }, body: { role: 'admin' } }),
  removeMember: ({ workspace, member }) => ({ params: { id: workspace, member } }),
  leaveWorkspace: ({ workspace }) => ({ params: { id: workspace } }),
  listInvitations: ({ workspace }) => ({ params: { id: workspace } }),
  createInvitation: ({ workspace }) => ({
    params: { id: workspace },
    body: { email: `${randomUUID()}@example.com`, role: 'member' },
  }),
  resendInvitation: ({ workspace, invitation }) => ({ params: { id: workspace, invitation } }),
  revokeInvitation: ({ workspace, invitation }) => ({ params: { id: workspace, invitation } }),
  getInvitation: ({ invitationToken: token }) => ({ params: { token } }),
  acceptInvitation: ({ invitationToken: token }) => ({ params: { token } }),
  declineInvitation: ({ invitationToken: token }) => ({ params: { token } }),
  getProfile: () => ({}),
  updateProfile: () => ({ body: { time_zone: 'Europe/Berlin' } }),
  setOwnPicture: () => ({ body: { picture: samplePicture.dataUrl } }),
  removeOwnPicture: () => ({}),
  downloadOwnData: () => ({}),
  getAccountDeletion: () => ({}),
  // Refused: an account that is deleted makes no further requests.
  deleteAccount: () => ({ body: { email: 'not-mine@example.com' } }),
  getPersonPicture: ({ person }) => ({ params: { id: person, hash: samplePicture.sha256 } }),
  getWorkspacePicture: ({ workspace }) => ({ params: { id: workspace, hash: samplePicture.sha256 } }),
  setWorkspacePicture: ({ workspace }) => ({ params: { id: workspace }, body: { picture: samplePicture.dataUrl } }),
  removeWorkspacePicture: ({ workspace }) => ({ params: { id: workspace } }),
  transferOwnership: ({ workspace, member }) => ({
    params: { id: workspace },
    body: { member },
  }),
  deleteWorkspace: ({ workspace }) => ({ params: { id: workspace }, body: { name: 'Elm Street' } }),
  restoreWorkspace: ({ workspace }) => ({ params: { id: workspace } }),
  getDashboard: () => ({}),
  getDay: () => ({}),
  getDeliveryDays: () => ({}),
  getAnalytics: () => ({}),
  getDeliveryAnalytics: () => ({ query: { from: '2098-12-15', to: '2099-01-15' } }),
  exportDeliveryAnalytics: ({ workspace }) => ({ query: { from: '2098-12-15', to: '2099-01-15', workspace } }),
  listReminders: () => ({ query: { search: 'rent', status: 'all' } }),
  createReminder: () => ({ body: { ...sampleReminder, status: 'draft' } }),
  getReminder: ({ reminder }) => ({ params: { id: reminder } }),
  updateReminder: ({ reminder }) => ({ params: { id: reminder }, body: sampleReminder }),
  setReminderStatus: ({ reminder }) => ({ params: { id: reminder }, body: { status: 'paused' } }),
  deleteReminder: ({ reminder }) => ({ params: { id: reminder } }),
  restoreReminders: ({ reminder }) => ({ body: { ids: [reminder] } }),
  pauseAllReminders: () => ({ body: { until: Temporal.Now.instant().add({ hours: 1 }).toString() } }),
  resumeAllReminders: () => ({}),
  actOnReminders: ({ reminder }) => ({ body: { ids: [reminder], action: 'pause' } }),
  duplicateReminder: ({ reminder }) => ({ params: { id: reminder } }),
  listEarlierTexts: ({ reminder }) => ({ params: { id: reminder } }),
  listOccurrences: ({ reminder }) => ({ params: { id: reminder }, query: { count: '3' } }),
  testReminder: ({ reminder }) => ({
    params: { id: reminder },
    body: { recipients: ['dana@example.com'], subject: 'Test', message: 'Hello' },
  }),
  forecastReminder: () => ({ body: { schedule_config: sampleReminder.schedule_config } }),
  askReach: () => ({
    query: { kind: 'reached' },
    body: {
      content: { subject: 'Rent of {{amount}}', message: 'Hello', recipients: ['dana@example.com'] },
      metadata: { channels: ['email'] },
    },
  }),
  getReminderReach: ({ reminder }) => ({ params: { id: reminder }, query: { kind: 'lacks_value', of: 'amount' } }),
  listTemplates: ({ templateCategory }) => ({ query: { search: 'rent', category: templateCategory } }),
  createTemplate: ({ templateCategory }) => ({ body: { ...sampleTemplate, category_id: templateCategory } }),
  previewTemplate: () => ({ body: { content: sampleTemplate.content, values: { amount: '950' } } }),
  listGallery: () => ({ query: { search: 'rent' } }),
  copyFromGallery: ({ template }) => ({ params: { id: template } }),
  getTemplate: ({ template }) => ({ params: { id: template } }),
  updateTemplate: ({ template }) => ({ params: { id: template }, body: { name: 'Renamed' } }),
  deleteTemplate: ({ template }) => ({ params: { id: template } }),
  duplicateTemplate: ({ template }) => ({ params: { id: template } }),
  getTemplateHtml: ({ template, workspace }) => ({
    params: { id: template },
    query: { workspace, values: '{"amount":"950"}' },
  }),
  listTemplateUses: ({ template }) => ({ params: { id: template } }),
  listTemplateVersions: ({ template }) => ({ params: { id: template } }),
  restoreTemplateVersion: ({ template }) => ({ params: { id: template, version: 1 } }),
  listTemplateCategories: () => ({}),
  createTemplateCategory: () => ({ body: { name: 'Rent' } }),
  updateTemplateCategory: ({ templateCategory }) => ({ params: { id: templateCategory }, body: { color: '#22c55e' } }),
  deleteTemplateCategory: ({ templateCategory }) => ({ params: { id: templateCategory } }),
  listContacts: ({ contactGroup }) => ({ query: { search: 'anna', tag: 'tenant', group: contactGroup } }),
  countContacts: ({ contactGroup }) => ({ query: { search: 'anna', tag: 'tenant', group: contactGroup } }),
  createContact: () => ({ body: { name: 'Bert', variables: { amount: '950' } } }),
  getContact: ({ contact }) => ({ params: { id: contact } }),
  listUpcomingOfContact: ({ contact }) => ({ params: { id: contact } }),
  listContactDeliveries: ({ contact }) => ({ params: { id: contact }, query: { channel: 'email' } }),
  updateContact: ({ contact }) => ({ params: { id: contact }, body: { name: 'Anna Jones' } }),
  listContactVariables: () => ({}),
  deleteContact: ({ contact }) => ({ params: { id: contact } }),
  deleteContacts: ({ contact }) => ({ body: { ids: [contact] } }),
  listContactTags: () => ({}),
  tagContacts: ({ contact }) => ({ body: { contacts: { ids: [contact] }, add: ['tenant'] } }),
  listContactGroups: () => ({}),
  countContactGroups: () => ({}),
  createContactGroup: () => ({ body: { name: `Group ${randomUUID()}`, rule: sampleRule } }),
  updateContactGroup: ({ contactGroup }) => ({
    params: { id: contactGroup },
    body: { name: `Renamed ${contactGroup}`, rule: sampleRule },
  }),
  deleteContactGroup: ({ contactGroup }) => ({ params: { id: contactGroup } }),
  listGroupUses: ({ contactGroup }) => ({ params: { id: contactGroup } }),
  countPeople: ({ contactGroup }) => ({ body: { audience: { groups: [contactGroup] } } }),
  saveContacts: () => ({ body: { contacts: [{ email: 'bert@example.com' }] } }),
  importContacts: () => ({ body: { csv: 'Name,E-mail\nBert,bert@example.com', mode: 'import' } }),
  undoImport: ({ contactImport }) => ({ params: { id: contactImport } }),
  listImports: () => ({}),
  exportContacts: ({ workspace }) => ({ query: { workspace } }),
  listSuppressions: () => ({ query: { channel: 'email', reason: 'manual' } }),
  addSuppression: () => ({ body: { channel: 'email', recipient: `no-${randomUUID()}@example.com` } }),
  removeSuppression: ({ suppression }) => ({ params: { id: suppression } }),
  listJobs: ({ reminder }) => ({ query: { status: 'all', reminder_id: reminder, from: '2026-01-01T00:00:00Z' } }),
  countJobs: () => ({ query: { from: '2026-01-01T00:00:00+01:00', to: '2100-01-01T00:00:00Z' } }),
  exportJobs: ({ workspace, reminder }) => ({ query: { workspace, status: 'failed', reminder_id: reminder } }),
  getJob: ({ pendingJob }) => ({ params: { id: pendingJob } }),
  listDeliveries: ({ failedJob }) => ({ params: { id: failedJob } }),
  listReminderRuns: ({ reminder }) => ({ params: { id: reminder } }),
  exportDeliveries: ({ failedJob }) => ({ params: { id: failedJob } }),
  getJobReach: ({ failedJob }) => ({ params: { id: failedJob }, query: { kind: 'reached' } }),
  getMessage: ({ pausedJob }) => ({
    params: { id: pausedJob },
    query: { channel: 'email', recipient: 'sent@example.com' },
  }),
  getJobExecution: ({ execution }) => ({ params: { id: execution } }),
  pauseJob: ({ pendingJob }) => ({ params: { id: pendingJob } }),
  resumeJob: ({ pausedJob }) => ({ params: { id: pausedJob } }),
  retryJob: ({ failedJob }) => ({ params: { id: failedJob } }),
  cancelJob: ({ pendingJob }) => ({ params: { id: pendingJob } }),
  listJobExecutions: ({ failedJob, reminder }) => ({
    query: {
      job_id: failedJob,
      reminder_id: reminder,
      status: 'failed',
      channel: 'email',
      from: '2026-01-01T00:00:00Z',
    },
  }),
  exportJobExecutions: ({ workspace }) => ({ query: { workspace, status: 'completed' } }),
  // Belongs to no channel; a real token also requires the provider's signature.
  receiveCallback: () => ({ params: { provider: 'twilio', token: 'none' } }),
  answerCallback: () => ({ params: { provider: 'whatsapp_business', token: 'none' } }),
  getSubscription: ({ workspace }) => ({ params: { token: unsubscribeTokenOf(workspace) } }),
  unsubscribe: ({ workspace }) => ({ params: { token: unsubscribeTokenOf(workspace) } }),
  resubscribe: ({ workspace }) => ({ params: { token: unsubscribeTokenOf(workspace) }, query: { undo: randomUUID() } }),
  getPushKey: () => ({}),
  subscribeToPush: () => ({ body: samplePushSubscription }),
  unsubscribeFromPush: () => ({ body: { endpoint: samplePushSubscription.endpoint } }),
  listChannelTypes: () => ({}),
  listChannels: () => ({}),
  createChannel: () => ({
    body: {
      name: 'Hook',
      type: 'webhook',
      configuration: { url: 'http://127.0.0.1:2/', secret: 'a shared secret of ours' },
    },
  }),
  updateChannel: ({ channel }) => ({ params: { id: channel }, body: { name: 'Renamed' } }),
  deleteChannel: ({ channel }) => ({ params: { id: channel } }),
  testChannel: ({ channel }) => ({ params: { id: channel }, body: { message: 'Hello' } }),
  verifyWahaChannel: ({ wahaChannel }) => ({ params: { id: wahaChannel } }),
  verifyChannel: ({ wahaChannel }) => ({ params: { id: wahaChannel } }),
  sendEvent: () => ({ body: { event: 'user_signup', data: { plan: 'basic' } } }),
  cancelEvent: ({ eventKey }) => ({ body: { key: eventKey } }),
  testEvent: ({ hookedReminder }) => ({
    params: { id: hookedReminder },
    body: { data: { plan: 'basic' }, recipients: ['dana@example.com'] },
  }),
  receiveHook: ({ workspace, hookedReminder }) => ({
    params: { token: hookToken({ workspaceId: workspace, reminderId: hookedReminder, generation: 0 }, hookKey) },
  }),
  getHook: ({ hookedReminder }) => ({ params: { id: hookedReminder } }),
  rotateHook: ({ hookedReminder }) => ({ params: { id: hookedReminder } }),
  setHookSecret: ({ hookedReminder }) => ({
    params: { id: hookedReminder },
    body: { secret: 'a shared secret of ours' },
  }),
  listInstallationActs: () => ({ query: { kind: 'sign_in' } }),
  listGoneWorkspaces: () => ({}),
  listActs: () => ({ query: { kind: 'member' } }),
  listActors: () => ({}),
  exportActs: ({ workspace }) => ({ query: { workspace, kind: 'member' } }),
  listApiKeys: () => ({}),
  createApiKey: () => ({ body: { name: 'CRM' } }),
  revokeApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),
  listInbox: () => ({ query: { channel: 'email' } }),
  getInboxMessage: ({ mail }) => ({ params: { id: mail } }),
  getInboxHtml: ({ mail, workspace }) => ({ params: { id: mail }, query: { workspace } }),
  listAccountInbox: (_, { accountMail }) => ({ query: { token: accountMail } }),
  getSandboxAddresses: () => ({}),
  replyToInboxMessage: ({ sms }) => ({ params: { id: sms }, body: { text: 'STOP' } }),
  listSimulatedFailures: () => ({}),
  setSimulatedFailure: () => ({ body: { channel: 'sms', failure: { kind: 'reset' }, times: 1 } }),
};

export type SampleRequest = { method: string; path: string; body: unknown };

/** The sample of a route as method, path with query, and body. */
export function sampleRequest(name: RouteName, things: Things, tokens: Tokens): SampleRequest {
  const {
    params = {},
    query = {},
    body,
  }: { params?: object; query?: object; body?: unknown } = samples[name](things, tokens);
  let path: string = routes[name].path;
  for (const [key, value] of Object.entries(params)) path = path.replace(`:${key}`, String(value));
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
  return { method: routes[name].method.toUpperCase(), path: search === '' ? path : `${path}?${search}`, body };
}

export const routeNames = Object.keys(routes) as RouteName[];

/** Routes whose access depends on the caller's signature instead of the guard. */
export const signedRoutes: readonly RouteName[] = ['receiveCallback', 'answerCallback'];

/** Routes whose id parameter may belong to any workspace, for every signed-in user. */
export const galleryRoutes: readonly RouteName[] = ['copyFromGallery', 'acceptInvitation'];

const unsubscribeTokenOf = (workspaceId: string) =>
  createUnsubscribeTokens(createSecretBox(TEST_ENCRYPTION_KEY)).seal({
    workspaceId,
    channel: 'email',
    recipient: 'ann@example.com',
  });
