import type { Access, Route } from '#contract/route.ts';
import { type RouteName, routes } from '#contract/routes.ts';
import type { Scope } from '#contract/scopes.ts';

/** Who may call a route: `people` where API keys may not. */
export type Audience = Access | 'member, people' | 'admin, people' | 'owner, people';

/**
 * The authorization matrix: every route, and whom it is for. It repeats the contract on purpose: a route that is opened to more people by
 * mistake differs from its row. `access.test.ts` tries every row as every caller, `tenants.test.ts` with ids of another workspace.
 */
const rows: Record<Audience, readonly string[]> = {
  public: words(`
    getConfig getHealth getReady getOpenApi getMetrics getDemoEntrance enterDemo beginDemo checkAdminSetup requestDemo getInvitation declineInvitation receiveCallback answerCallback
    openUnsubscribeLink unsubscribe receiveHook readCalendar receiveBillingEvent getLogo listAccountInbox getStatus submitSupportRequest
  `),
  user: words(`
    completeAdminSetup listWorkspaces createWorkspace acceptInvitation listGallery getReauthentication reauthenticate
    mailReauthenticationCode downloadOwnData getAccountDeletion deleteAccount
    getTwoFactor getAccount changePassword changeEmail confirmEmail cancelEmailChange listDevices signOutDevice signOutOthers
    openCustomerPortal getPaymentPage actOnPaymentPage getProfile updateProfile setOwnPicture removeOwnPicture getAdminOverview listAdministeredWorkspaces listLatestExecutions
    reportClientError listOwnSupportRequests
  `),
  system_admin: words(`
    getDeliveryPause resumeDeliveries listPeople suspendPerson liftSuspension verifyPerson signOutPerson makeAdministrator
    removeAdministrator getAdministeredWorkspace getAdministeredAnalytics suspendWorkspace liftWorkspaceSuspension restoreDeletedWorkspace listLogEntries
    listInstallationActs
    listGoneWorkspaces getSystemState getInstallationAnalytics getInstallationSettings updateInstallationSettings
    listBackups downloadBackup dismissAlert listDemoRequests listSupportRequests getSupportRequest answerSupportRequest closeSupportRequest
    reopenSupportRequest listUnknownPaths listOperatorVariables
  `),
  member: words(`
    getPersonPicture getWorkspacePicture openStream listMembers getDashboard getDay getAgenda listAgendaDay getDeliveryDays getAnalytics getDeliveryAnalytics exportDeliveryAnalytics listReminders createReminder getReminder updateReminder
    setReminderStatus deleteReminder restoreReminders actOnReminders duplicateReminder listEarlierTexts listReminderChanges listOccurrences
    testReminder forecastReminder askReach getReminderReach listTemplates createTemplate previewTemplate copyFromGallery
    getTemplate updateTemplate deleteTemplate duplicateTemplate getTemplateHtml listTemplateUses listTemplateVersions
    restoreTemplateVersion listTemplateCategories createTemplateCategory updateTemplateCategory deleteTemplateCategory getContact
    listUpcomingOfContact listContactDeliveries listContacts countContacts createContact updateContact listContactVariables
    deleteContact deleteContacts listContactTags tagContacts saveContacts importContacts undoImport previewUndo listImports exportContacts
    listContactGroups countContactGroups createContactGroup updateContactGroup deleteContactGroup listGroupUses countPeople
    listSuppressions addSuppression listConsents recordConsents countConsents getConsentProof listContactConsents listTopics pauseContact endPauseOfContact skipRun endSkip listJobs countJobs exportJobs getJob listDeliveries getReport exportReport exportDeliveries exportLedger getJobReach
    listReminderRuns getMessage pauseJob resumeJob retryJob cancelJob listJobExecutions exportJobExecutions getJobExecution
    listChannelTypes listChannels testChannel sendNotification createJob getPushKey listEvents repeatEvent sendEvent cancelEvent testEvent getLastEvent getHook listHookCalls listInbox getInboxMessage
    getInboxHtml replyToInboxMessage getSandboxAddresses listSimulatedFailures
  `),
  'member, people': words(`
    getBilling checkSubscription
    listCalendarSources listCalendarFeeds createCalendarFeed endCalendarFeed getWorkspace sendToMyself leaveWorkspace dismissFirstSteps addPushBrowser removePushBrowser listPushBrowsers testPush
  `),
  admin: words(`
    pauseAllReminders resumeAllReminders exportConsents removeSuppression updateSuppression createTopic updateTopic createChannel updateChannel deleteChannel verifyChannel
    verifyWahaChannel rotateHook setHookSecret setSimulatedFailure exportWorkspace importWorkspace getWorkspaceImport
    listWebhooks createWebhook updateWebhook deleteWebhook testWebhook listWebhookActivities replayWebhookActivities
  `),
  'admin, people': words(`
    mailReport listMonthlyReports createMonthlyReport updateMonthlyReport deleteMonthlyReport previewCalendarSource createCalendarSource updateCalendarSource readCalendarSource removeCalendarSource
    setWorkspacePicture removeWorkspacePicture listActs listActors exportActs
    updateWorkspace setMemberRole getMemberAccess removeMember listInvitations createInvitation resendInvitation revokeInvitation listApiKeys
    createApiKey rotateApiKey revokeApiKey listErasures erasePerson exportPerson getRequestUse revealSigningSecret rotateSigningSecret
  `),
  owner: words(`
  `),
  'owner, people': words(`
    deleteWorkspace restoreWorkspace
    transferOwnership listInvoices createCheckout
  `),
};

/** The scopes of which an API key needs one, where it is not `read` to get something and `manage` for the rest. */
const exceptions: Partial<Record<RouteName, readonly Scope[]>> = {
  sendNotification: ['send'],
  createJob: ['send'],
  sendEvent: ['send'],
  cancelEvent: ['send'],
  // With `send` alone: its own jobs.
  getJob: ['read', 'send'],
  forecastReminder: ['read'],
  askReach: ['read'],
  previewTemplate: ['read'],
  countPeople: ['read'],
  // The address of a hook is a secret.
  getHook: ['manage'],
  // Everything at once.
  exportWorkspace: ['manage'],
  // So may be that of a webhook.
  listWebhooks: ['manage'],
  listWebhookActivities: ['manage'],
};

/** The scopes of which an API key needs one to call a route. */
export const scopesFor = (name: RouteName): readonly Scope[] =>
  exceptions[name] ?? [routes[name].method === 'get' ? 'read' : 'manage'];

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Throws, with what to do, for a route that has no row. */
export function audienceOf(name: RouteName): Audience {
  const found = Object.entries(rows).filter(([, names]) => names.includes(name));
  const [[audience] = [null]] = found;
  if (audience === null || found.length > 1)
    throw new Error(
      `The route ${name} has ${found.length} rows in src/testing/route-access.ts. Decide whom it is for, and add its name to that one list; it must be what the contract declares.`,
    );
  return audience as Audience;
}

export const declaredAudience = ({ access, callers }: Route): string =>
  callers === 'people' ? `${access}, people` : access;

/** Rows of routes that are gone. */
export const staleRows = (): string[] =>
  Object.values(rows).flatMap((names) => names.filter((name) => !(name in routes)));
