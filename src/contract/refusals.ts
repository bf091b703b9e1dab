import type { ErrorCode } from '#contract/errors.ts';
import { isOutsideWorkspaces, type Route } from '#contract/route.ts';
import type { RouteName } from '#contract/routes.ts';

/** What a route refuses besides what follows from its declaration. */
const others: Partial<Record<RouteName, readonly ErrorCode[]>> = {
  beginDemo: ['rate_limited', 'not_found'],
  getDemoEntrance: ['not_found', 'rate_limited'],
  enterDemo: ['not_found', 'forbidden', 'rate_limited'],
  requestDemo: ['rate_limited', 'not_found'],
  completeAdminSetup: ['not_found'],
  confirmEmail: ['not_found'],
  changePassword: ['rate_limited'],
  reauthenticate: ['rate_limited'],
  mailReauthenticationCode: ['rate_limited'],
  setMemberRole: ['conflict'],
  removeMember: ['conflict'],
  createWorkspace: ['plan_limit'],
  updateReminder: ['conflict', 'plan_limit', 'unprocessable'],
  createReminder: ['plan_limit'],
  setReminderStatus: ['plan_limit', 'unprocessable'],
  actOnReminders: ['plan_limit'],
  restoreReminders: ['plan_limit'],
  getHook: ['unprocessable'],
  getLastEvent: ['unprocessable'],
  listHookCalls: ['unprocessable'],
  setHookSecret: ['unprocessable'],
  sendEvent: ['unprocessable'],
  listInstallationActs: ['not_found'],
  receiveHook: ['invalid_request', 'unauthenticated', 'gone', 'too_large', 'too_slow', 'unprocessable', 'rate_limited'],
  receiveCallback: ['invalid_request', 'unauthenticated', 'too_large', 'too_slow', 'rate_limited'],
  answerCallback: ['unauthenticated', 'rate_limited'],
  receiveBillingEvent: ['invalid_request', 'unauthenticated', 'not_found', 'too_large', 'too_slow', 'rate_limited'],
  readCalendar: ['gone', 'unprocessable', 'rate_limited'],
  openStream: ['rate_limited'],
  updateCalendarSource: ['unprocessable'],
  updateTemplate: ['unprocessable'],
  updateSuppression: ['conflict', 'unprocessable'],
  addSuppression: ['unprocessable'],
  updateTopic: ['unprocessable'],
  updateTemplateCategory: ['conflict', 'unprocessable'],
  getTemplateHtml: ['unprocessable'],
  updateContact: ['conflict', 'unprocessable'],
  exportContacts: ['unprocessable'],
  skipRun: ['conflict'],
  endSkip: ['conflict'],
  updateContactGroup: ['conflict', 'unprocessable'],
  deleteContactGroup: ['conflict'],
  createMonthlyReport: ['conflict', 'unprocessable'],
  updateMonthlyReport: ['conflict'],
  updateChannel: ['conflict', 'unprocessable'],
  deleteChannel: ['conflict'],
  updateWebhook: ['conflict', 'unprocessable'],
  updateProfile: ['unprocessable'],
  updateInstallationSettings: ['unprocessable'],
  submitSupportRequest: ['rate_limited'],
  suspendPerson: ['conflict', 'unprocessable'],
  makeAdministrator: ['conflict', 'unprocessable'],
  removeAdministrator: ['conflict', 'unprocessable'],
  restoreDeletedWorkspace: ['conflict'],
  getMetrics: ['unauthenticated', 'not_found'],
  listInbox: ['not_found'],
  listAccountInbox: ['not_found', 'rate_limited'],
  openCustomerPortal: ['not_found'],
};

/** Every code with which a route may refuse a request that reached it, in the order of `errorStatus`; those of the server's own troubles (5xx) apart. */
export function refusalsOf(name: RouteName, route: Route): ErrorCode[] {
  const { access, method, path } = route;
  const isTenants = !isOutsideWorkspaces(access);
  const hasBody = route.body !== undefined;
  // `Idempotency-Key` may be wrong, in flight, or used with another request.
  const isWriting = method !== 'get' && access !== 'public';
  const takesKey = method === 'post' && access !== 'public' && route.repeatStatus === undefined;
  const said: Record<RefusalCode, boolean> = {
    invalid_request: hasBody || isTenants || isWriting || route.query !== undefined || route.params !== undefined,
    unauthenticated: access !== 'public',
    second_factor_required: access !== 'public',
    forbidden: access !== 'public',
    two_factor_setup_required: path.startsWith('/api/admin/'),
    reauthentication_required: route.needsReauthentication !== undefined,
    plan_limit: false,
    not_found: isTenants || path.includes(':'),
    too_slow: hasBody,
    conflict: takesKey,
    gone: false,
    too_large: hasBody,
    // What goes in a circle.
    unprocessable: isWriting,
    rate_limited: hasBody || isTenants || path.includes(':') || route.limit !== undefined || route.isCostly === true,
  };
  const also = others[name] ?? [];
  return codes.filter((code) => said[code] || also.includes(code));
}

type RefusalCode = Exclude<ErrorCode, 'internal' | 'maintenance' | 'unavailable'>;

const codes: readonly RefusalCode[] = [
  'invalid_request',
  'unauthenticated',
  'second_factor_required',
  'forbidden',
  'two_factor_setup_required',
  'reauthentication_required',
  'plan_limit',
  'not_found',
  'too_slow',
  'conflict',
  'gone',
  'too_large',
  'unprocessable',
  'rate_limited',
];
