import { Button, Skeleton } from '@mantine/core';
import { IconArrowLeft, IconPrinter } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useJob, useWholeLedger } from '#web/api/jobs.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { JobReport } from './JobReport.tsx';
import classes from './report.module.css';

const route = getRouteApi('/themed/signed-in/jobs/$id/report');

/** The printable ledger of a job: what was sent to whom, when, and the provider's response. */
export function JobReportScreen() {
  const { id } = route.useParams();
  const job = useJob(id);
  const ledger = useWholeLedger(id);
  const isReady = job.data !== undefined && ledger.data !== undefined;
  const retry = () => void Promise.all([job.refetch(), ledger.refetch()]);
  return (
    <>
      <PageHeader
        title="Delivery report"
        subtitle={job.data?.name}
        above={
          <TextLink to="/jobs" search={{ job: id }} size="sm" className={classes.back}>
            <IconArrowLeft size={14} aria-hidden /> Back to the job
          </TextLink>
        }
        actions={
          <Button
            className={classes.print}
            leftSection={<IconPrinter size={16} aria-hidden />}
            disabled={!isReady}
            onClick={() => window.print()}
          >
            Print
          </Button>
        }
      />
      {isReady ? (
        <JobReport job={job.data} lines={ledger.data.lines} at={ledger.data.at} />
      ) : job.error || ledger.error ? (
        <ErrorState
          title="Error loading job"
          error={job.error ?? ledger.error}
          onRetry={retry}
          isRetrying={job.isFetching || ledger.isFetching}
        />
      ) : (
        <Skeleton height={480} radius="md" role="status" aria-label="Loading the report" />
      )}
    </>
  );
}
