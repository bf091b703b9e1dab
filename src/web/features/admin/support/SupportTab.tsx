import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { Button, SegmentedControl } from '@mantine/core';
import { IconLifebuoy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  type SupportRequest,
  supportCategoryNames,
  supportKeptDays,
  supportMailedWithinMinutes,
} from '#contract/support.ts';
import { configQuery } from '#web/api/config.ts';
import { useSupportRequests } from '#web/api/support.ts';
import classes from '#web/features/admin/admin.module.css';
import { AdminList } from '#web/features/admin/AdminList.tsx';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { SupportRequestDialog } from './SupportRequestDialog.tsx';

const kinds = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
] as const;

/** What people asked support, to be answered and closed. */
export default function SupportTab() {
  const { search, change } = useAdminSearch();
  const { status = 'open' } = search;
  const found = useSupportRequests(status);
  const email = useQuery(configQuery).data?.support_email;
  return (
    <div className={classes.tab}>
      <p className={classes.quiet}>
        Requests of the form at /support are kept for {supportKeptDays} days.{' '}
        {email === null && 'SUPPORT_EMAIL is not set: they are mailed to nobody.'}
        {email && `They are mailed to ${email} too.`}
      </p>
      <div>
        <SegmentedControl
          aria-label="Which requests"
          data={[...kinds]}
          value={status}
          onChange={(chosen) => change({ status: chosen === 'closed' ? 'closed' : undefined })}
        />
      </div>
      <AdminList
        noun="support requests"
        of={found}
        empty={{
          icon: IconLifebuoy,
          title: status === 'open' ? 'No request is open' : 'No request was closed',
          sentence: status === 'open' ? 'What people ask at /support appears here.' : undefined,
        }}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Request',
            cell: (request) => (
              <span className={classes.cell}>
                <span className={classes.name}>{request.subject}</span>
                <span className={classes.quiet}>
                  {request.email}, {supportCategoryNames[request.category]}
                  {email && <Unmailed request={request} to={email} />}
                </span>
              </span>
            ),
          },
          { title: 'State', width: 'status', cell: (request) => <State request={request} /> },
          { title: 'Asked', width: 'moment', cell: ({ created_at: at }) => <InstantText at={at} /> },
          {
            title: 'Answer',
            width: 'links',
            cell: ({ id, subject }) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Open ${subject}`}
                onClick={() => change({ request: id })}
              >
                Open
              </Button>
            ),
          },
        ]}
      >
        {(requests) => <LoadMore of={found}>{requests.length.toLocaleString('en')} shown</LoadMore>}
      </AdminList>
      {search.request !== undefined && (
        <SupportRequestDialog key={search.request} id={search.request} onClose={() => change({ request: undefined })} />
      )}
    </div>
  );
}

/** What no mail server has accepted is answered here alone. */
function Unmailed({ request, to }: { request: SupportRequest; to: string }) {
  const minutes = (useNow(60_000).getTime() - Date.parse(request.created_at)) / 60_000;
  return request.mailed_at === null && minutes > supportMailedWithinMinutes ? `, not mailed to ${to}` : null;
}

function State({ request }: { request: SupportRequest }) {
  if (request.closed_at !== null) return <ToneBadge word="Closed" tone="quiet" />;
  if (request.answered_at !== null) return <ToneBadge word="Answered" tone="good" />;
  return <ToneBadge word="New" tone="waiting" />;
}
