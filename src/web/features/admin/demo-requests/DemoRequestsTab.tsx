import { Anchor } from '@mantine/core';
import { IconPresentation } from '@tabler/icons-react';
import { useDemoRequests } from '#web/api/demo-requests.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { ListCard } from '#web/ui/ListCard.tsx';
import classes from '#web/features/admin/admin.module.css';
import { RowsSkeleton } from '#web/features/admin/RowsSkeleton.tsx';

/** Who asked on the landing page to be shown around; administrators answer by mail. */
export default function DemoRequestsTab() {
  return (
    <ListCard
      label="Requests for a demo"
      of={useDemoRequests()}
      failed="Error loading requests for a demo"
      skeleton={<RowsSkeleton label="Loading requests for a demo" />}
      empty={
        <EmptyState
          icon={IconPresentation}
          title="Nobody has asked for a demo"
          sentence="Requests of the landing page are listed here for a year, and mailed to SUPPORT_EMAIL where it is set."
        />
      }
    >
      {(requests) => (
        <table className={classes.table}>
          <thead>
            <tr>
              <th>Request</th>
              <th className={classes.moment}>Time</th>
            </tr>
          </thead>
          <tbody>
            {requests.map(({ id, name, email, message, created_at: at }) => (
              <tr key={id}>
                <td className={classes.main}>
                  <span className={classes.cell}>
                    <span className={classes.name}>{name}</span>
                    <Anchor href={`mailto:${encodeURIComponent(email)}`}>{email}</Anchor>
                    {message !== '' && <span className={classes.details}>{message}</span>}
                  </span>
                </td>
                <td className={classes.moment}>
                  <InstantText at={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </ListCard>
  );
}
