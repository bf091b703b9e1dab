import { z } from 'zod';
import { get, patch } from '#contract/route.ts';

/** The switches of an installation, by the names of the specification (section 3), and the limit that belongs to one of them. */
export const InstallationSettings = z.strictObject({
  /** Everybody but administrators gets 503. Deliveries, callbacks, hooks and unsubscribing go on. */
  maintenanceMode: z.boolean(),
  debugLogging: z.boolean(),
  /** Makes a backup each night, in the data folder. */
  autoBackups: z.boolean(),
  /** Administrators need a second factor seven days after they are asked for it. */
  twoFactorAuth: z.boolean(),
  apiRateLimit: z.boolean(),
  /** Sessions end after 30 days without use. While this is off they end after 90 days, however much they are used. */
  sessionTimeout: z.boolean(),
  /** Requests of one workspace per hour while `apiRateLimit` is on; null for those of its plan. */
  apiRequestsPerHour: z.number().int().min(1).max(1_000_000).nullable(),
});
export type InstallationSettings = z.output<typeof InstallationSettings>;

/** The settings of a new installation (specification, section 4). */
export const defaultSettings: InstallationSettings = {
  maintenanceMode: false,
  debugLogging: false,
  autoBackups: true,
  twoFactorAuth: true,
  apiRateLimit: true,
  sessionTimeout: true,
  apiRequestsPerHour: null,
};

export const SettingsChange = InstallationSettings.partial().refine(
  (change) => Object.keys(change).length > 0,
  'Name at least one setting',
);
export type SettingsChange = z.output<typeof SettingsChange>;

/** Switches that protect accounts or data: whoever turns one off has to prove again who they are. */
const protections = ['autoBackups', 'twoFactorAuth', 'apiRateLimit', 'sessionTimeout'] as const;

export function lowersSecurity(body: unknown): boolean {
  const { data } = SettingsChange.safeParse(body);
  if (data === undefined) return false;
  return protections.some((name) => data[name] === false) || typeof data.apiRequestsPerHour === 'number';
}

/** What an operator sets in the environment before others are let in. */
export const operatorVariables = ['APP_URL', 'SMTP_URL', 'OPERATOR_NAME', 'OPERATOR_ADDRESS', 'SUPPORT_EMAIL'] as const;
export type OperatorVariable = (typeof operatorVariables)[number];

export const adminSettingsRoutes = {
  listOperatorVariables: get('/api/admin/operator-variables', {
    access: 'system_admin',
    summary: 'What the operator of the installation has set in the environment, and what not',
    answer: z.object({ data: z.array(z.object({ name: z.enum(operatorVariables), is_set: z.boolean() })) }),
  }),
  getInstallationSettings: get('/api/admin/settings', {
    access: 'system_admin',
    summary: 'The settings of the installation',
    answer: InstallationSettings,
  }),
  updateInstallationSettings: patch('/api/admin/settings', {
    access: 'system_admin',
    summary: 'Change settings of the installation; they apply in every process at once',
    body: SettingsChange,
    needsReauthentication: lowersSecurity,
    answer: InstallationSettings,
  }),
};
