import { Group, Skeleton, Title } from '@mantine/core';
import { useState } from 'react';
import { useDeliveries, useJob } from '#web/api/jobs.ts';
import { DeliveryLedger } from '#web/features/jobs/DeliveryLedger.tsx';
import type { RecipientFilter } from '#web/features/jobs/RecipientFilters.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { JobBadge } from '#web/ui/JobBadge.tsx';
import prose from '#web/ui/prose.module.css';

/** The deliveries of a test, by its job's id; updated live. */
export function TestOutcome({ id }: { id: string }) {
  const [filter, setFilter] = useState<RecipientFilter>({});
  // The deliveries load in parallel with the job.
  useDeliveries(id, filter);
  return (
    <Loaded of={useJob(id)} failed="Error loading job" skeleton={<Loading />}>
      {(job) => (
        <>
          <Title order={2} mb={8} className={prose.breaks}>
            {job.name}
          </Title>
          <Group gap="4px 12px" className={prose.breaks} role="status">
            <JobBadge job={job} />
            <TextLink to="/jobs" search={{ job: id }} size="sm">
              Open the job
            </TextLink>
          </Group>
          <DeliveryLedger job={job} filter={filter} onFilter={setFilter} />
        </>
      )}
    </Loaded>
  );
}

function Loading() {
  return (
    <div role="status" aria-busy aria-label="Loading the outcome">
      <Skeleton height={20} width="50%" mb={12} />
      <Skeleton height={24} width={96} mb={24} />
      <Skeleton height={112} />
    </div>
  );
}
