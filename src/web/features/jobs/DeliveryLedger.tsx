import { Button, Skeleton } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import type { Channel } from '#contract/channels.ts';
import type { Delivery, DeliveryWithTimeline } from '#contract/deliveries.ts';
import type { JobSummary } from '#contract/jobs.ts';
import { useChannels } from '#web/api/channels.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { ledgerFileUrl, useDeliveries } from '#web/api/jobs.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { useFirstRows } from '#web/ui/use-first-rows.ts';
import classes from './DeliveryLedger.module.css';
import { DeliveryLine } from './DeliveryLine.tsx';
import sections from './JobDialog.module.css';
import { JobTargets } from './JobTargets.tsx';
import { type RecipientFilter, RecipientFilters } from './RecipientFilters.tsx';

type DeliveryLedgerProps = {
  job: JobSummary;
  filter: RecipientFilter;
  onFilter: (filter: RecipientFilter) => void;
};

/** The deliveries of a job per recipient and channel, problems first; before it starts, its recipients. */
export function DeliveryLedger({ job, filter, onFilter }: DeliveryLedgerProps) {
  const workspaceId = useWorkspaceId();
  const total = job.recipients?.total ?? 0;
  const hasLines = total > 0;
  return (
    <section className={sections.section} aria-labelledby="deliveries">
      <div className={sections.bar}>
        <h3 className={sections.title} id="deliveries">
          Recipients
        </h3>
        {hasLines && (
          <div className={sections.barActions}>
            <Button
              component="a"
              href={ledgerFileUrl(workspaceId, job.id)}
              download
              variant="subtle"
              size="compact-sm"
              leftSection={<IconDownload size={15} aria-hidden />}
            >
              Export CSV
            </Button>
            <ButtonLink
              to="/jobs/$id/report"
              params={{ id: job.id }}
              variant="subtle"
              size="compact-sm"
              leftSection={<IconPrinter size={15} aria-hidden />}
            >
              Print
            </ButtonLink>
          </div>
        )}
      </div>
      {job.recipients !== null && (total > 1 || isFiltering(filter)) && (
        <RecipientFilters counts={job.recipients} filter={filter} onChange={onFilter} />
      )}
      <Ledger job={job} filter={filter} onFilter={onFilter} />
    </section>
  );
}

const isFiltering = ({ group, search }: RecipientFilter) => group !== undefined || search !== undefined;

function Ledger({ job, filter, onFilter }: DeliveryLedgerProps) {
  const deliveries = useDeliveries(job.id, filter);
  const { data: channels = [] } = useChannels();
  if (deliveries.isPending) return <Skeleton height={112} radius="md" />;
  if (!deliveries.data) {
    return (
      <ErrorState
        title="Error loading deliveries"
        error={deliveries.error}
        onRetry={() => void deliveries.refetch()}
        isRetrying={deliveries.isFetching}
      />
    );
  }
  if (deliveries.data.length === 0 && isFiltering(filter)) {
    return (
      <p className={classes.none}>
        <span>No recipient matches.</span>{' '}
        <Button variant="subtle" size="compact-sm" onClick={() => onFilter({})}>
          Show all recipients
        </Button>
      </p>
    );
  }
  if (deliveries.data.length === 0) {
    const isAhead = job.status === 'pending' || job.status === 'paused';
    return isAhead ? <JobTargets job={job} /> : <p className={classes.none}>No messages were sent.</p>;
  }
  return (
    <div className={classes.ledger} data-stale={deliveries.isPlaceholderData}>
      <Lines deliveries={deliveries.data} channels={channels} />
      {deliveries.hasNextPage && (
        <LoadMore of={deliveries}>{deliveries.data.length.toLocaleString('en')} shown</LoadMore>
      )}
    </div>
  );
}

const Lines = ({
  deliveries,
  channels,
}: {
  deliveries: readonly DeliveryWithTimeline[];
  channels: readonly Channel[];
}) => (
  <ul className={classes.list}>
    {useFirstRows(deliveries).map((delivery) => (
      <DeliveryLine key={delivery.id} delivery={delivery} over={nameAmong(channels, delivery)} />
    ))}
  </ul>
);

/** The channel's name, when the workspace has several channels of its type. */
function nameAmong(channels: readonly Channel[], { channel, channel_id: id }: Delivery): string | null {
  const own = channels.filter(({ type }) => type === channel);
  return own.length < 2 ? null : (own.find((one) => one.id === id)?.name ?? null);
}
