import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { Button, SegmentedControl } from '@mantine/core';
import { IconLifebuoy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type SupportRequest, supportCategoryNames, supportKeptDays, supportMailedWithinMinutes } from '#contract/support.ts';
import { configQuery } from '#web/api/config.ts';
import { useSupportRequests } from '#web/api/support.ts';
import classes from '#web/features/admin/admin.module.css';
import { RowsSkeleton } from '#web/features/admin/RowsSkeleton.tsx';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { ListCard } from '#web/ui/ListCard.tsx';
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
      <ListCard
        label="Support requests"
        of={found}
        failed="Error loading support requests"
        skeleton={<RowsSkeleton label="Loading support requests" />}
        empty={
          <EmptyState
            icon={IconLifebuoy}
            title={status === 'open' ? 'No request is open' : 'No request was closed'}
            sentence={status === 'open' ? 'What people ask at /support appears here.' : undefined}
          />
        }
      >
        {(requests) => (
          <>
            <Requests requests={requests} mailedTo={email ?? null} onOpen={(id) => change({ request: id })} />
            <LoadMore of={found}>{requests.length.toLocaleString('en')} shown</LoadMore>
          </>
        )}
      </ListCard>
      {search.request !== undefined && (
        <SupportRequestDialog key={search.request} id={search.request} onClose={() => change({ request: undefined })} />
      )}
    </div>
  );
}

type RequestsProps = {
  requests: readonly SupportRequest[];
  /** SUPPORT_EMAIL */
  mailedTo: string | null;
  onOpen: (id: string) => void;
};

const Requests = ({ requests, mailedTo, onOpen }: RequestsProps) => (
  <table className={classes.table}>
    <thead>
      <tr>
        <th>Request</th>
        <th className={classes.status}>State</th>
        <th className={classes.moment}>Asked</th>
        <th className={classes.links}>Answer</th>
      </tr>
    </thead>
    <tbody>
      {requests.map((request) => (
        <tr key={request.id}>
          <td className={classes.main}>
            <span className={classes.cell}>
              <span className={classes.name}>{request.subject}</span>
              <span className={classes.quiet}>
                {request.email}, {supportCategoryNames[request.category]}
                {mailedTo !== null && <Mailed request={request} to={mailedTo} />}
              </span>
            </span>
          </td>
          <td className={classes.status}>
            <State request={request} />
          </td>
          <td className={classes.moment}>
            <InstantText at={request.created_at} />
          </td>
          <td className={classes.links}>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Open ${request.subject}`}
              onClick={() => onOpen(request.id)}
            >
              Open
            </Button>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** What no mail server has accepted is answered here alone. */
function Mailed({ request, to }: { request: SupportRequest; to: string }) {
  const minutes = (useNow(60_000).getTime() - Date.parse(request.created_at)) / 60_000;
  return request.mailed_at === null && minutes > supportMailedWithinMinutes ? `, not mailed to ${to}` : null;
}

function State({ request }: { request: SupportRequest }) {
  if (request.closed_at !== null) return <ToneBadge word="Closed" tone="quiet" />;
  if (request.answered_at !== null) return <ToneBadge word="Answered" tone="good" />;
  return <ToneBadge word="New" tone="waiting" />;
}
