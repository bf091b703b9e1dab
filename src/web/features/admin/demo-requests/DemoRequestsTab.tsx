import { Anchor, Text } from '@mantine/core';
import { IconPresentation } from '@tabler/icons-react';
import { useDemoRequests } from '#web/api/demo-requests.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import list from '#web/ui/list.module.css';
import prose from '#web/ui/prose.module.css';

/** Who asked on the landing page to be shown around; administrators answer by mail. */
export default function DemoRequestsTab() {
  return (
    <List
      noun="requests for a demo"
      of={useDemoRequests()}
      empty={{
        icon: IconPresentation,
        title: 'Nobody has asked for a demo',
        sentence:
          'Requests of the landing page are listed here for a year, and mailed to SUPPORT_EMAIL where it is set.',
      }}
      columns={[
        {
          title: 'Request',
          narrow: 'line',
          cell: ({ name, email, message }) => (
            <span className={list.cell}>
              <span className={list.name}>{name}</span>
              <Anchor href={`mailto:${encodeURIComponent(email)}`}>{email}</Anchor>
              {message !== '' && (
                <Text span fz={13} lh="1.25rem" className={prose.written}>
                  {message}
                </Text>
              )}
            </span>
          ),
        },
        { title: 'Time', width: 210, narrow: 'line', cell: ({ created_at: at }) => <InstantText at={at} /> },
      ]}
    />
  );
}
