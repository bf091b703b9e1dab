import { Anchor } from '@mantine/core';
import { IconPresentation } from '@tabler/icons-react';
import { useDemoRequests } from '#web/api/demo-requests.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import classes from '#web/features/admin/admin.module.css';
import { AdminList } from '#web/features/admin/AdminList.tsx';

/** Who asked on the landing page to be shown around; administrators answer by mail. */
export default function DemoRequestsTab() {
  return (
    <AdminList
      noun="requests for a demo"
      of={useDemoRequests()}
      empty={{
        icon: IconPresentation,
        title: 'Nobody has asked for a demo',
        sentence:
          'Requests of the landing page are listed here for a year, and mailed to SUPPORT_EMAIL where it is set.',
      }}
      keyOf={({ id }) => id}
      isStacked
      columns={[
        {
          title: 'Request',
          cell: ({ name, email, message }) => (
            <span className={classes.cell}>
              <span className={classes.name}>{name}</span>
              <Anchor href={`mailto:${encodeURIComponent(email)}`}>{email}</Anchor>
              {message !== '' && <span className={classes.said}>{message}</span>}
            </span>
          ),
        },
        { title: 'Time', width: 'moment', cell: ({ created_at: at }) => <InstantText at={at} /> },
      ]}
    />
  );
}
