import type { InstallationSettings } from '#contract/admin-settings.ts';

type SwitchName = {
  [Name in keyof InstallationSettings]: InstallationSettings[Name] extends boolean ? Name : never;
}[keyof InstallationSettings];

type Switch = { name: SwitchName; label: string; hint: string };

/** In the order of the specification (section 3). */
export const switches: readonly Switch[] = [
  {
    name: 'maintenanceMode',
    label: 'Maintenance Mode',
    hint: 'Everybody but administrators sees a page that says so. Reminders are still sent, and unsubscribing works.',
  },
  {
    name: 'debugLogging',
    label: 'Debug Logging',
    hint: 'Every process writes more to its log, without a restart. Turn it off again: logs grow quickly.',
  },
  {
    name: 'autoBackups',
    label: 'Auto Backups',
    hint: 'Each night at 2:00 UTC the whole database is copied into one file. The newest seven are kept.',
  },
  {
    name: 'twoFactorAuth',
    label: 'Two-Factor Auth',
    hint: 'Administrators are asked at once for a code of an app at sign-in. After seven days the console needs it.',
  },
  {
    name: 'apiRateLimit',
    label: 'API Rate Limit',
    hint: 'API keys and hooks of a workspace may send so many requests an hour as its plan says, or your own limit.',
  },
  {
    name: 'sessionTimeout',
    label: 'Session Timeout',
    hint: 'Who has not used Cuebird for 30 days signs in again. While it is off, that is after 90 days in any case.',
  },
];
