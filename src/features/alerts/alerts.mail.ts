import type { AlertCause } from '#contract/alerts.ts';

const subjects: Record<AlertCause, string> = {
  backup_failed: 'A backup failed',
  disk_nearly_full: 'The disk is nearly full',
  late_deliveries: 'Deliveries are late',
  sign_in_failures: 'Many sign-ins fail',
};

/** The mail to an administrator of the installation. */
export const alertMail = ({ cause, detail, url }: { cause: AlertCause; detail: string; url: string }) => ({
  subject: `Cuebird: ${subjects[cause]}`,
  text: [
    'Hello,',
    detail,
    `The state of the installation: ${url}/admin?tab=system`,
    'You get this at most once a day for each cause, as an administrator of this installation.',
  ].join('\n\n'),
});
