import { Box, Button, Flex, Group, Text, Title } from '@mantine/core';
import { IconDownload, IconMail, IconPrinter } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { Channel } from '#contract/channels.ts';
import type { Delivery, DeliveryWithTimeline } from '#contract/deliveries.ts';
import type { JobSummary } from '#contract/jobs.ts';
import type { ReachCount, ReachTarget } from '#contract/reach.ts';
import { counted } from '#domain/in-words.ts';
import { useChannels } from '#web/api/channels.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { ledgerFileUrl, useDeliveries } from '#web/api/jobs.ts';
import { useProfile } from '#web/api/profile.ts';
import { useReach, useReachPeople } from '#web/api/reach.ts';
import { SkipButton } from '#web/features/exclusions/SkipButton.tsx';
import { isSame, ReachCounts } from '#web/features/reach/ReachCounts.tsx';
import { ReachPeople } from '#web/features/reach/ReachPeople.tsx';
import { reachesNobody } from '#web/features/reach/reach-words.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { useFirstRows } from '#web/ui/use-first-rows.ts';
import classes from './DeliveryLedger.module.css';
import { DeliveryLine } from './DeliveryLine.tsx';
import { DeliveryMessage } from './DeliveryMessage.tsx';
import { RecipientButton } from './RecipientButton.tsx';
import prose from '#web/ui/prose.module.css';
import { type RecipientFilter, RecipientFilters } from './RecipientFilters.tsx';

type DeliveryLedgerProps = {
  job: JobSummary;
  filter: RecipientFilter;
  onFilter: (filter: RecipientFilter) => void;
};

/** The deliveries of a job per recipient and channel, problems first; before it starts, its recipients. */
export function DeliveryLedger({ job, filter, onFilter }: DeliveryLedgerProps) {
  const workspaceId = useWorkspaceId();
  const { role } = useWorkspace().workspace;
  const isDemo = useProfile().data?.is_demo === true;
  const total = job.recipients?.total ?? 0;
  const hasLines = total > 0;
  return (
    <Box component="section" mt={28} aria-labelledby="deliveries">
      <Group gap="4px 12px" justify="space-between" mb={8}>
        <Title order={3} size="h4" id="deliveries">
          Recipients
        </Title>
        <Extent job={job} />
        {hasLines && (
          <Flex gap={4} wrap="wrap">
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
            {role !== 'member' && !isDemo && (
              <ButtonLink
                to="/jobs/$id/report"
                params={{ id: job.id }}
                search={{ open: 'mail' }}
                variant="subtle"
                size="compact-sm"
                leftSection={<IconMail size={15} aria-hidden />}
              >
                Email this report
              </ButtonLink>
            )}
          </Flex>
        )}
      </Group>
      {job.recipients !== null && (total > 1 || isFiltering(filter)) && (
        <RecipientFilters counts={job.recipients} filter={filter} onChange={onFilter} />
      )}
      <Ledger job={job} filter={filter} onFilter={onFilter} />
    </Box>
  );
}

/** `215 messages to 184 people`, where there are several for somebody. */
function Extent({ job: { people, recipients } }: { job: JobSummary }) {
  if (people === null || recipients === null) return null;
  const all = people.total + people.excluded;
  if (all === recipients.total) return null;
  return (
    <Text size="sm" c="dimmed" flex="1 1 160px">
      {counted(recipients.total, 'message')} to {counted(all, 'person', 'people')}
    </Text>
  );
}

const isFiltering = ({ group, search }: RecipientFilter) => group !== undefined || search !== undefined;

function Ledger({ job, filter, onFilter }: DeliveryLedgerProps) {
  const deliveries = useDeliveries(job.id, filter);
  const { data: channels = [] } = useChannels();
  return (
    <Loaded of={deliveries} failed="Error loading deliveries">
      {(shown) =>
        shown.length > 0 ? (
          <div className={classes.ledger} data-stale={deliveries.isPlaceholderData}>
            <Lines deliveries={shown} channels={channels} />
            {deliveries.hasNextPage && <LoadMore of={deliveries}>{shown.length.toLocaleString('en')} shown</LoadMore>}
          </div>
        ) : isFiltering(filter) ? (
          <p className={prose.dimParagraph}>
            <span>No recipient matches.</span>{' '}
            <Button variant="subtle" size="compact-sm" onClick={() => onFilter({})}>
              Show all recipients
            </Button>
          </p>
        ) : job.status === 'pending' || job.status === 'paused' ? (
          <JobTargets job={job} />
        ) : (
          <p className={prose.dimParagraph}>No messages were sent.</p>
        )
      }
    </Loaded>
  );
}

const Lines = ({
  deliveries,
  channels,
}: {
  deliveries: readonly DeliveryWithTimeline[];
  channels: readonly Channel[];
}) => (
  <ul>
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

/** Whom a job that has not started would reach, each with the message as it would be sent now, and whom it would not. */
function JobTargets({ job: { id } }: { job: JobSummary }) {
  const reach = useReach({ jobId: id });
  const [wanted, choose] = useState<ReachCount | null>(null);
  return (
    <Loaded of={reach} failed="Error loading recipients">
      {(data) => {
        const chosen =
          data.counts.find((count) => wanted !== null && isSame(count, wanted)) ??
          data.counts.find(({ people }) => people > 0);
        return (
          <>
            <p className={prose.dimParagraph}>
              Recipients appear here once the job runs, one line for each recipient and channel. If it ran now:
            </p>
            <Box mt={8} mb={12}>
              <ReachCounts label="Who will get it" counts={data.counts} chosen={chosen} onChoose={choose} />
              {reachesNobody(data) && data.refusal !== null && <p className={prose.dimParagraph}>{data.refusal}.</p>}
            </Box>
            {chosen === undefined ? null : chosen.kind === 'reached' ? (
              <Reached jobId={id} />
            ) : (
              <ReachPeople key={`${chosen.kind} ${chosen.of}`} of={{ jobId: id }} kind={chosen} />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function Reached({ jobId }: { jobId: string }) {
  const people = useReachPeople({ jobId }, { kind: 'reached', of: null });
  return (
    <Loaded of={people} failed="Error loading recipients">
      {(reached) => (
        <div className={classes.ledger}>
          <ul>
            {reached.flatMap((person) =>
              person.targets
                .filter(({ problem }) => problem === null)
                .map((target, at) => (
                  <Target key={`${target.channel} ${target.recipient}`} jobId={jobId} target={target}>
                    {at === 0 && <SkipButton jobId={jobId} person={person} />}
                  </Target>
                )),
            )}
          </ul>
          {people.hasNextPage && <LoadMore of={people}>{reached.length.toLocaleString('en')} shown</LoadMore>}
        </div>
      )}
    </Loaded>
  );
}

function Target({ jobId, target, children }: { jobId: string; target: ReachTarget; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { channel, recipient, is_fallback, is_preferred } = target;
  return (
    <li className={classes.item}>
      <Group gap={4} pr={children === false ? 0 : 12} wrap="nowrap">
        <RecipientButton
          of={target}
          className={classes.target}
          isOpen={isOpen}
          onToggle={() => setOpen(!isOpen)}
          controls={id}
        />
        {children}
      </Group>
      {is_preferred && <div className={classes.said}>The channel that they prefer</div>}
      {is_fallback && <div className={classes.said}>Only if the previous channel fails</div>}
      <div id={id} hidden={!isOpen} className={classes.details}>
        {isOpen && <DeliveryMessage jobId={jobId} to={{ channel, recipient, isSent: false }} />}
      </div>
    </li>
  );
}
