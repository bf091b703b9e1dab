import { Alert as Box } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Alert, AlertCause } from '#contract/alerts.ts';
import classes from '#web/features/admin/figures.module.css';
import { InstantText } from '#web/ui/InstantText.tsx';

const titles: Record<AlertCause, string> = {
  backup_failed: 'A backup failed',
  disk_nearly_full: 'The disk is nearly full',
  late_deliveries: 'Deliveries are late',
  sign_in_failures: 'Many sign-ins fail',
};

/** What administrators were told in the last seven days. */
export const Alerts = ({ alerts }: { alerts: readonly Alert[] }) =>
  alerts.length === 0 ? null : (
    <section aria-label="Alerts" className={classes.tab}>
      {alerts.map(({ cause, day, detail, last_at: at, mailed_at: mailed }) => (
        <Box key={`${cause} ${day}`} color="red" icon={<IconAlertTriangle size={18} />} title={titles[cause]}>
          {detail}{' '}
          <span className={classes.seen}>
            Last seen <InstantText at={at} />, {mailed === null ? 'no mail was sent' : 'mailed to administrators'}
          </span>
        </Box>
      ))}
    </section>
  );
