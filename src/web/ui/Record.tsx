import { Card, Skeleton, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { ErrorState } from './ErrorState.tsx';
import { TextLink } from './links.tsx';
import { StaleLine } from './StaleLine.tsx';
import classes from './record.module.css';

// Parts of the page of one contact or one reminder.

export const BackLink = ({ to, children }: { to: '/contacts' | '/reminders' | '/admin'; children: ReactNode }) => (
  <TextLink to={to} className={classes.back} underline="hover">
    <IconArrowLeft size={16} aria-hidden />
    {children}
  </TextLink>
);

type SectionProps = { title: string /** Beside the title. */; aside?: ReactNode; children: ReactNode };

export function RecordSection({ title, aside, children }: SectionProps) {
  const id = useId();
  return (
    <Card padding={0} component="section" aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </Card>
  );
}

type LoadedProps<T> = {
  of: {
    data: T | undefined;
    error: unknown;
    isPending: boolean;
    isFetching: boolean;
    dataUpdatedAt: number;
    refetch: () => unknown;
  };
  /** The failed action: 'Error loading what comes next'. */
  failed: string;
  /** As it loads; some rows by default. */
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
};

/** The content of a section: rows as they load, or the error with Retry. */
export function Loaded<T>({ of, failed, skeleton = <RowsSkeleton />, children }: LoadedProps<T>) {
  if (of.isPending) return skeleton;
  if (of.data === undefined)
    return <ErrorState title={failed} error={of.error} onRetry={() => void of.refetch()} isRetrying={of.isFetching} />;
  return (
    <>
      <StaleLine of={of} failed={failed} />
      {children(of.data)}
    </>
  );
}

const RowsSkeleton = () => (
  <div role="status" aria-label="Loading">
    {[45, 60, 50].map((width) => (
      <div key={width} className={classes.row} aria-hidden>
        <Skeleton height={12} width={`${width}%`} my={4} />
        <Skeleton height={10} width={`${width - 20}%`} my={4} />
      </div>
    ))}
  </div>
);

export const RecordSkeleton = ({ label }: { label: string }) => (
  <div role="status" aria-busy aria-label={label}>
    <Skeleton height={14} width={110} mb={12} />
    <Skeleton height={30} width="40%" mb={32} />
    <div className={classes.columns}>
      <Skeleton height={360} radius="md" />
      <Skeleton height={360} radius="md" />
    </div>
  </div>
);
