import { Alert as Box } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useRef } from 'react';
import type { Alert, AlertCause } from '#contract/alerts.ts';
import { useDismissAlert } from '#web/api/admin-system.ts';
import classes from '#web/features/admin/figures.module.css';
import { InstantText } from '#web/ui/InstantText.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';

const titles: Record<AlertCause, string> = {
  backup_failed: 'A backup failed',
  disk_nearly_full: 'The disk is nearly full',
  late_deliveries: 'Deliveries are late',
  sign_in_failures: 'Many sign-ins fail',
};

/** What administrators were told in the last seven days, until somebody dismisses it. */
export function Alerts({ alerts }: { alerts: readonly Alert[] }) {
  const dismiss = useDismissAlert();
  const section = useRef<HTMLElement>(null);
  return alerts.length === 0 ? null : (
    <section aria-label="Alerts" className={classes.tab} ref={section} tabIndex={-1}>
      {alerts.map((alert) => {
        const { cause, day, detail, last_at: at, mailed_at: mailed, resolved_at: resolved } = alert;
        return (
          <Box
            key={`${cause} ${day}`}
            color={resolved === null ? 'red' : 'gray'}
            icon={resolved === null ? <IconAlertTriangle size={18} /> : <IconCheck size={18} />}
            title={resolved === null ? titles[cause] : `${titles[cause]}: over`}
            withCloseButton
            closeButtonLabel={`Dismiss: ${titles[cause]}`}
            onClose={() => {
              // The button is gone with its alert.
              section.current?.focus();
              dismiss.mutate(alert, { onError: (error) => notifyFailure('Error dismissing the alert', error) });
            }}
          >
            {detail}{' '}
            <span className={classes.seen}>
              Last seen <InstantText at={at} />, {mailed === null ? 'no mail was sent' : 'mailed to administrators'}
            </span>
          </Box>
        );
      })}
    </section>
  );
}
