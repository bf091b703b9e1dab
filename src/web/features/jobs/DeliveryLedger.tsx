import { Skeleton } from '@mantine/core';
import type { Channel } from '#contract/channels.ts';
import type { Delivery, Job } from '#contract/jobs.ts';
import { useChannels } from '#web/api/channels.ts';
import { useDeliveries } from '#web/api/jobs.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import classes from './DeliveryLedger.module.css';
import sections from './JobDialog.module.css';

/** What became of each recipient of a job on each channel. */
export function DeliveryLedger({ job }: { job: Job }) {
  return (
    <section className={sections.section} aria-labelledby="deliveries">
      <h3 className={sections.title} id="deliveries">
        Recipients
      </h3>
      <Ledger job={job} />
    </section>
  );
}

function Ledger({ job }: { job: Job }) {
  const deliveries = useDeliveries(job.id);
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
  if (deliveries.data.length === 0) return <p className={classes.none}>{emptyText(job)}</p>;
  return (
    <div className={classes.ledger}>
      <ul className={classes.list}>
        {deliveries.data.map((delivery) => (
          <Line key={delivery.id} delivery={delivery} over={nameAmong(channels, delivery)} />
        ))}
      </ul>
      {deliveries.hasNextPage && <LoadMore of={deliveries}>{deliveries.data.length} shown</LoadMore>}
    </div>
  );
}

/** Which channel it was, where the workspace has several of the type. */
function nameAmong(channels: readonly Channel[], { channel, channel_id: id }: Delivery): string | null {
  const own = channels.filter(({ type }) => type === channel);
  return own.length < 2 ? null : (own.find((one) => one.id === id)?.name ?? null);
}

const emptyText = ({ status }: Job): string =>
  status === 'pending' || status === 'paused'
    ? 'Recipients appear here once the job runs: one line for each of them and each channel.'
    : 'Nobody was sent to.';

// The engine's words.
const suppressed = 'The recipient is on the suppression list';

function Line({ delivery, over }: { delivery: Delivery; over: string | null }) {
  const { channel, recipient, recipient_name, status, attempts, reason, provider_answer } = delivery;
  // The words that go on where a reason ends say it all.
  const isWhole = reason === null || provider_answer?.startsWith(`${reason}: `) === true;
  const said = isWhole ? provider_answer : reason;
  return (
    <li className={classes.line}>
      <span className={classes.icon}>
        <ChannelIcon channel={channel} />
      </span>
      <div className={classes.who}>
        <span className={classes.name}>{recipient_name ?? recipient}</span>
        {recipient_name && <span className={classes.address}>{recipient}</span>}
      </div>
      <div className={classes.state}>
        <StatusBadge kind="delivery" status={status} />
      </div>
      <div className={classes.facts}>
        {over !== null && <span>over {over}</span>}
        <span>{attempts === 1 ? '1 attempt' : `${attempts} attempts`}</span>
        <Moment delivery={delivery} />
      </div>
      {said && (
        <div className={classes.said} data-tone={status === 'failed' || status === 'unknown' ? 'bad' : 'quiet'}>
          {said}{' '}
          {said === suppressed && (
            <TextLink to="/contacts" search={{ tab: 'suppressed', search: recipient }} size="sm">
              See why
            </TextLink>
          )}
          {!isWhole && provider_answer && provider_answer !== reason && <code>{provider_answer}</code>}
        </div>
      )}
    </li>
  );
}

/** The moment that matters now: the next try, the end, or the last attempt. */
function Moment({ delivery: { status, next_attempt_at, completed_at, last_attempt_at } }: { delivery: Delivery }) {
  if (status === 'waiting' && next_attempt_at) {
    return (
      <span>
        next <RelativeTime at={next_attempt_at} />
      </span>
    );
  }
  const at = completed_at ?? last_attempt_at;
  return at && <InstantText at={at} />;
}
