import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { type RouteName, type Routes, routes } from '#contract/routes.ts';
import { hookToken } from '#features/events/hook-token.ts';
import { hookPurpose } from '#features/events/hooks.service.ts';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { sampleBackup } from '#testing/sample-backup.ts';
import { samplePicture } from '#testing/sample-picture.ts';
import type { Things } from '#testing/sample-rows.ts';
import { sampleSupportRequest } from '#testing/sample-support-request.ts';
import {
  sampleCalendar,
  sampleClientError,
  samplePushBrowser,
  sampleReminder,
  sampleRule,
  sampleTemplate,
} from '#testing/samples.ts';

/** The tokens that the terminal prints. */
export type Tokens = { adminSetup: string; demo: string; accountMail: string };

const calendarRules = { timezone: 'UTC', offsets: [{ amount: 1, unit: 'days' as const }], all_day_time: '09:00' };

/** All test installations use the same key. */
const hookKey = createSecretBox(TEST_ENCRYPTION_KEY).deriveKey(hookPurpose);

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
  getMetrics: () => ({}),
  getSystemState: () => ({}),
  getInstallationAnalytics: () => ({ query: { days: '90' } }),
  getDemoEntrance: (_, { demo }) => ({ query: { token: demo } }),
  enterDemo: (_, { demo }) => ({ query: { token: demo } }),
  beginDemo: () => ({ body: { timezone: 'Europe/Berlin' } }),
  requestDemo: () => ({ body: { name: 'Dana', email: 'dana@example.com', message: 'Rent reminders' } }),
  listDemoRequests: () => ({}),
  getAccount: () => ({}),
  changePassword: () => ({
    body: { current_password: 'correct horse battery', new_password: 'staple correct horse' },
  }),
  changeEmail: () => ({ body: { email: `${randomUUID()}@example.com` } }),
  confirmEmail: ({ emailToken }) => ({ body: { token: emailToken } }),
  cancelEmailChange: () => ({}),
  listDevices: () => ({}),
  signOutDevice: ({ device }) => ({ params: { id: device } }),
  signOutOthers: () => ({}),
  checkAdminSetup: (_, { adminSetup }) => ({ body: { token: adminSetup } }),
  completeAdminSetup: (_, { adminSetup }) => ({ body: { token: adminSetup } }),
  getReauthentication: () => ({}),
  reauthenticate: () => ({ body: { password: 'correct horse battery' } }),
  mailReauthenticationCode: () => ({}),
  getTwoFactor: () => ({}),
  listBackups: () => ({}),
  getStatus: () => ({}),
  submitSupportRequest: () => ({
    body: {
      email: 'kim@example.com',
      category: 'technical',
      subject: 'A reminder is late',
      message: 'It was due at nine.',
    },
  }),
  listOwnSupportRequests: () => ({}),
  listSupportRequests: () => ({}),
  getSupportRequest: () => ({ params: { id: sampleSupportRequest } }),
  answerSupportRequest: () => ({
    params: { id: sampleSupportRequest },
    body: { message: 'It is on its way.', closes: false },
  }),
  closeSupportRequest: () => ({ params: { id: sampleSupportRequest } }),
  reopenSupportRequest: () => ({ params: { id: sampleSupportRequest } }),
  listUnknownPaths: () => ({}),
  dismissAlert: () => ({ params: { cause: 'disk_nearly_full', day: '2026-03-02' } }),
  downloadBackup: () => ({ params: { name: sampleBackup } }),
  listOperatorVariables: () => ({}),
  getInstallationSettings: () => ({}),
  updateInstallationSettings: () => ({ body: { apiRequestsPerHour: null } }),
  getDeliveryPause: () => ({}),
  resumeDeliveries: () => ({ body: { overdue: 'by_rule' } }),
  listPeople: () => ({ query: { search: 'example.com' } }),
  suspendPerson: ({ person }) => ({ params: { id: person } }),
  liftSuspension: ({ person }) => ({ params: { id: person } }),
  verifyPerson: ({ person }) => ({ params: { id: person } }),
  signOutPerson: ({ person }) => ({ params: { id: person } }),
  makeAdministrator: ({ person }) => ({ params: { id: person } }),
  removeAdministrator: ({ person }) => ({ params: { id: person } }),
  listAdministeredWorkspaces: () => ({ query: { search: 'street' } }),
  getAdministeredWorkspace: ({ workspace }) => ({ params: { id: workspace } }),
  getAdministeredAnalytics: ({ workspace }) => ({ params: { id: workspace } }),
  suspendWorkspace: ({ workspace }) => ({ params: { id: workspace } }),
  liftWorkspaceSuspension: ({ workspace }) => ({ params: { id: workspace } }),
  restoreDeletedWorkspace: ({ workspace }) => ({ params: { id: workspace } }),
  listLatestExecutions: () => ({}),
  listLogEntries: () => ({ query: { level: 'info' } }),
  openStream: ({ workspace }) => ({ query: { workspace } }),
  getOpenApi: () => ({}),
  listWorkspaces: () => ({}),
  createWorkspace: () => ({ body: { name: 'Elm Street' } }),
  getWorkspace: ({ workspace }) => ({ params: { id: workspace } }),
  updateWorkspace: ({ workspace }) => ({ params: { id: workspace }, body: { name: 'Elm Street 2' } }),
  listMembers: ({ workspace }) => ({ params: { id: workspace } }),
  setMemberRole: ({ workspace, member }) => ({ params: { id: workspace, member }, body: { role: 'admin' } }),
  getMemberAccess: ({ workspace, member }) => ({ params: { id: workspace, member } }),
  removeMember: ({ workspace, member }) => ({ params: { id: workspace, member }, body: {} }),
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
  getLogo: ({ workspace }) => ({ params: { id: workspace, hash: samplePicture.sha256 } }),
  getWorkspacePicture: ({ workspace }) => ({ params: { id: workspace, hash: samplePicture.sha256 } }),
  setWorkspacePicture: ({ workspace }) => ({ params: { id: workspace }, body: { picture: samplePicture.dataUrl } }),
  removeWorkspacePicture: ({ workspace }) => ({ params: { id: workspace } }),
  transferOwnership: ({ workspace, member }) => ({
    params: { id: workspace },
    body: { member },
  }),
  getBilling: () => ({}),
  listInvoices: () => ({}),
  createCheckout: ({ workspace }) => ({ body: { priceId: 'price_sandbox_premium', workspaceId: workspace } }),
  openCustomerPortal: () => ({}),
  checkSubscription: ({ workspace }) => ({ body: { workspaceId: workspace } }),
  receiveBillingEvent: () => ({}),
  getPaymentPage: ({ paymentPage }) => ({ params: { id: paymentPage } }),
  actOnPaymentPage: ({ paymentPage }) => ({ params: { id: paymentPage }, body: { act: 'pay' } }),
  exportWorkspace: ({ workspace }) => ({ params: { id: workspace }, query: { workspace } }),
  importWorkspace: ({ workspace }) => ({
    params: { id: workspace },
    query: { mode: 'import' },
    body: { format: 'cuebird-workspace', version: 1, reminders: [{ ...sampleReminder, ref: randomUUID() }] },
  }),
  getWorkspaceImport: ({ workspace }) => ({ params: { id: workspace } }),
  exportLedger: ({ workspace }) => ({ query: { workspace, from: '2026-01-01T00:00:00Z', channel: 'email' } }),
  deleteWorkspace: ({ workspace }) => ({ params: { id: workspace }, body: { name: 'Elm Street' } }),
  restoreWorkspace: ({ workspace }) => ({ params: { id: workspace } }),
  getDashboard: () => ({}),
  dismissFirstSteps: () => ({}),
  getDay: () => ({}),
  getAgenda: ({ reminder, contact }) => ({ query: { timezone: 'Europe/Berlin', reminder, contact } }),
  listAgendaDay: ({ contact }) => ({ query: { day: Temporal.Now.plainDateISO('UTC').toString(), contact } }),
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
  listReminderChanges: ({ reminder }) => ({ params: { id: reminder } }),
  listEarlierTexts: ({ reminder }) => ({ params: { id: reminder } }),
  listOccurrences: ({ reminder }) => ({ params: { id: reminder }, query: { count: '3' } }),
  testReminder: ({ reminder }) => ({
    params: { id: reminder },
    body: { recipients: ['dana@example.com'], subject: 'Test', message: 'Hello' },
  }),
  sendToMyself: () => ({
    body: { channel: 'email', subject: 'Rent', message: 'Hello **{{name}}**', values: { name: 'Dana' } },
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
  importContacts: () => ({ body: { csv: 'Name,Email\nBert,bert@example.com', mode: 'import' } }),
  undoImport: ({ contactImport }) => ({ params: { id: contactImport } }),
  previewUndo: ({ contactImport }) => ({ params: { id: contactImport } }),
  listImports: () => ({}),
  exportContacts: ({ workspace }) => ({ query: { workspace } }),
  pauseContact: ({ contact }) => ({
    params: { id: contact },
    body: { until: Temporal.Now.plainDateISO('UTC').add({ days: 30 }).toString() },
  }),
  endPauseOfContact: ({ contact }) => ({ params: { id: contact } }),
  skipRun: ({ runAhead, contact }) => ({ params: { id: runAhead, contact } }),
  endSkip: ({ runAhead, contact }) => ({ params: { id: runAhead, contact } }),
  listSuppressions: () => ({ query: { channel: 'email', reason: 'manual' } }),
  addSuppression: () => ({ body: { channel: 'email', recipient: `no-${randomUUID()}@example.com` } }),
  updateSuppression: ({ suppression }) => ({ params: { id: suppression }, body: { covers: 'optional' } }),
  listConsents: () => ({ query: { channel: 'sms', kind: 'given' } }),
  recordConsents: () => ({
    body: {
      consents: [
        {
          channel: 'sms',
          recipient: '+4915112345678',
          kind: 'given',
          text: 'Text me when the rent is due.',
          how: 'phone',
        },
      ],
    },
  }),
  countConsents: () => ({}),
  getConsentProof: () => ({ query: { channel: 'sms', recipient: '+4915112345678' } }),
  exportConsents: ({ workspace }) => ({ query: { workspace, format: 'csv' } }),
  listContactConsents: ({ contact }) => ({ params: { id: contact }, query: { limit: 10 } }),
  listTopics: () => ({}),
  createTopic: () => ({ body: { name: `Events ${randomUUID().slice(0, 8)}` } }),
  updateTopic: ({ topic }) => ({ params: { id: topic }, body: { name: `Rent ${randomUUID().slice(0, 8)}` } }),
  listErasures: () => ({}),
  erasePerson: () => ({
    body: { addresses: [`gone-${randomUUID().slice(0, 8)}@example.com`], asked_how: 'By letter' },
  }),
  exportPerson: () => ({ body: { addresses: ['anna@example.com'] } }),
  removeSuppression: ({ suppression }) => ({ params: { id: suppression } }),
  listJobs: ({ reminder }) => ({ query: { status: 'all', reminder_id: reminder, from: '2026-01-01T00:00:00Z' } }),
  countJobs: () => ({ query: { from: '2026-01-01T00:00:00+01:00', to: '2100-01-01T00:00:00Z' } }),
  exportJobs: ({ workspace, reminder }) => ({ query: { workspace, status: 'failed', reminder_id: reminder } }),
  getJob: ({ pendingJob }) => ({ params: { id: pendingJob } }),
  listDeliveries: ({ failedJob }) => ({ params: { id: failedJob } }),
  listReminderRuns: ({ reminder }) => ({ params: { id: reminder } }),
  getReport: ({ failedJob }) => ({ params: { id: failedJob } }),
  exportReport: ({ failedJob }) => ({ params: { id: failedJob } }),
  mailReport: ({ failedJob }) => ({ params: { id: failedJob }, body: { to: ['boss@example.com'] } }),
  listMonthlyReports: () => ({}),
  createMonthlyReport: () => ({ body: { address: `boss-${randomUUID()}@example.com` } }),
  updateMonthlyReport: ({ monthlyReport }) => ({
    params: { id: monthlyReport },
    body: { address: `chief-${randomUUID()}@example.com` },
  }),
  deleteMonthlyReport: ({ monthlyReport }) => ({ params: { id: monthlyReport } }),
  exportDeliveries: ({ failedJob }) => ({ params: { id: failedJob } }),
  sendNotification: ({ template }) => ({
    body: { template_id: template, recipient: 'dana@example.com', variables: { amount: 950 } },
  }),
  createJob: ({ template }) => ({
    body: {
      name: 'Rent',
      template_id: template,
      schedule: {
        type: 'scheduled',
        scheduleType: 'monthly',
        startDate: '2098-01-01T09:00:00',
        timezone: 'Europe/Berlin',
      },
      recipients: ['dana@example.com'],
      variables: { amount: 950 },
    },
  }),
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
  openUnsubscribeLink: ({ workspace }) => ({ params: { token: unsubscribeTokenOf(workspace) } }),
  unsubscribe: ({ workspace }) => ({ params: { token: unsubscribeTokenOf(workspace) } }),
  getPushKey: () => ({}),
  addPushBrowser: () => ({ body: samplePushBrowser }),
  listPushBrowsers: () => ({}),
  testPush: () => ({ body: { endpoint: samplePushBrowser.endpoint } }),
  reportClientError: () => ({ body: sampleClientError }),
  removePushBrowser: () => ({ body: { endpoint: samplePushBrowser.endpoint } }),
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
  listEvents: () => ({ query: { event: 'user' } }),
  repeatEvent: ({ event }) => ({ params: { id: event } }),
  sendEvent: () => ({ body: { event: 'user_signup', data: { plan: 'basic' } } }),
  cancelEvent: ({ eventKey }) => ({ body: { key: eventKey } }),
  testEvent: ({ hookedReminder }) => ({
    params: { id: hookedReminder },
    body: { data: { plan: 'basic' }, recipients: ['dana@example.com'] },
  }),
  getLastEvent: ({ hookedReminder }) => ({ params: { id: hookedReminder } }),
  receiveHook: ({ workspace, hookedReminder }) => ({
    params: { token: hookToken({ workspaceId: workspace, reminderId: hookedReminder, generation: 0 }, hookKey) },
  }),
  getHook: ({ hookedReminder }) => ({ params: { id: hookedReminder } }),
  listHookCalls: ({ hookedReminder }) => ({ params: { id: hookedReminder } }),
  rotateHook: ({ hookedReminder }) => ({ params: { id: hookedReminder } }),
  setHookSecret: ({ hookedReminder }) => ({
    params: { id: hookedReminder },
    body: { secret: 'a shared secret of ours' },
  }),
  getAdminOverview: () => ({}),
  listInstallationActs: () => ({ query: { kind: 'sign_in' } }),
  listGoneWorkspaces: () => ({}),
  listActs: () => ({ query: { kind: 'member' } }),
  listActors: () => ({}),
  exportActs: ({ workspace }) => ({ query: { workspace, kind: 'member' } }),
  listCalendarFeeds: () => ({}),
  createCalendarFeed: () => ({ body: { shows: 'own' } }),
  endCalendarFeed: ({ calendarFeed }) => ({ params: { id: calendarFeed } }),
  listCalendarSources: () => ({}),
  previewCalendarSource: () => ({ body: { ...calendarRules, file: { name: 'team.ics', text: sampleCalendar } } }),
  createCalendarSource: () => ({
    body: {
      ...calendarRules,
      name: 'Team calendar',
      file: { name: 'team.ics', text: sampleCalendar },
      content: sampleReminder.content,
      metadata: sampleReminder.metadata,
    },
  }),
  updateCalendarSource: ({ calendarSource }) => ({
    params: { id: calendarSource },
    body: { ...calendarRules, name: 'Team calendar' },
  }),
  readCalendarSource: ({ calendarSource }) => ({ params: { id: calendarSource } }),
  removeCalendarSource: ({ calendarSource }) => ({ params: { id: calendarSource }, query: { reminder: 'keep' } }),
  readCalendar: ({ calendarToken }) => ({ params: { token: `${calendarToken}.ics` } }),
  listApiKeys: () => ({}),
  createApiKey: () => ({ body: { name: 'CRM', scopes: ['send', 'read'] } }),
  rotateApiKey: ({ apiKey }) => ({ params: { id: apiKey }, body: { overlap_hours: 1 } }),
  getRequestUse: () => ({}),
  revokeApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),
  revealSigningSecret: () => ({}),
  rotateSigningSecret: () => ({}),
  listWebhooks: () => ({}),
  createWebhook: () => ({ body: { url: 'http://127.0.0.1:2/', activity_types: ['delivery.failed', 'job.failed'] } }),
  updateWebhook: ({ webhook }) => ({ params: { id: webhook }, body: { is_active: false } }),
  deleteWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  testWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  listWebhookActivities: ({ webhook }) => ({ params: { id: webhook }, query: { status: 'failed' } }),
  replayWebhookActivities: ({ webhook, webhookActivity }) => ({
    params: { id: webhook },
    body: { activity_id: webhookActivity },
  }),
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

/** Routes whose access depends on the caller's signature or token instead of the guard. */
export const signedRoutes: readonly RouteName[] = [
  'receiveCallback',
  'answerCallback',
  'getMetrics',
  'receiveBillingEvent',
];

/** Routes whose id parameter may belong to any workspace, for every signed-in user. */
export const galleryRoutes: readonly RouteName[] = ['copyFromGallery', 'acceptInvitation'];

const unsubscribeTokenOf = (workspaceId: string) =>
  createUnsubscribeTokens(createSecretBox(TEST_ENCRYPTION_KEY)).seal({
    stops: 'messages',
    workspaceId,
    channel: 'email',
    recipient: 'ann@example.com',
  });
