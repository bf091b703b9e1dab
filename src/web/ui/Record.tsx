import { Card, Group, Skeleton, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { ErrorState } from './ErrorState.tsx';
import { InstantText } from './InstantText.tsx';
import { TextLink } from './links.tsx';
import { RowsSkeleton } from './RowsSkeleton.tsx';
import { messageOf } from './message-of.ts';
import classes from './record.module.css';

// Parts of the page of one contact or one reminder.

export const BackLink = ({ to, children }: { to: '/contacts' | '/reminders' | '/admin'; children: ReactNode }) => (
  <TextLink to={to} className={classes.back} underline="hover">
    <IconArrowLeft size={16} aria-hidden />
    {children}
  </TextLink>
);

type SectionProps = {
  title: string;
  size?: 'h2' | 'h3';
  /** Beside the title. */
  aside?: ReactNode;
  children: ReactNode;
};

/** A link to the screen with its title as hash, such as `#sending-hours`, leads to it. */
export function RecordSection({ title, size = 'h3', aside, children }: SectionProps) {
  const id = useId();
  const hash = title.toLowerCase().replaceAll(' ', '-');
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (window.location.hash === `#${hash}`) card.current?.scrollIntoView();
  }, [hash]);
  return (
    <Card ref={card} id={hash} className={classes.section} padding={0} component="section" aria-labelledby={id}>
      <Group
        gap="8px 16px"
        justify="space-between"
        align={size === 'h2' ? 'baseline' : 'center'}
        p="16px var(--gutter) 12px"
      >
        <Title order={2} size={size} id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Card>
  );
}

export type Query<Data> = {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  isFetching: boolean;
  /** Whether the data is that of the filter before, until the new is there. */
  isPlaceholderData?: boolean;
  /** Whether the error is that of a further page, which is said where it was asked for. */
  isFetchNextPageError?: boolean;
  dataUpdatedAt: number;
  refetch: () => unknown;
};

type LoadedProps<Data> = {
  of: Query<Data>;
  /** The failed action: 'Error loading what comes next'. */
  failed: string;
  /** As it loads; some rows by default. */
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
};

/**
 * The content of a section: rows as they load, or the error with Retry. What cannot be read again stays, below a line that
 * says why, and of when it is.
 */
export function Loaded<Data>({ of, failed, skeleton = <RowsSkeleton count={3} />, children }: LoadedProps<Data>) {
  if (of.isPending) return skeleton;
  if (of.data === undefined) return <ErrorState title={failed} of={of} />;
  return (
    <>
      {of.error !== null && of.isFetchNextPageError !== true && (
        <p className={classes.stale} role="status">
          {failed}: {messageOf(of.error)} What you see is from{' '}
          <InstantText at={new Date(of.dataUpdatedAt).toISOString()} show="second" />.
        </p>
      )}
      {children(of.data)}
    </>
  );
}

export const RecordSkeleton = ({ label }: { label: string }) => (
  <div role="status" aria-busy aria-label={label}>
    <Skeleton height={14} width={110} mb={12} />
    <Skeleton height={30} width="40%" mb={32} />
    <div className={classes.columns}>
      <SectionSkeleton rows={6} />
      <SectionSkeleton rows={6} />
    </div>
  </div>
);

/** A section as it loads: its title, and rows. */
export const SectionSkeleton = ({ rows = 3 }: { rows?: number }) => (
  <Card className={classes.section} padding={0} aria-hidden>
    <Skeleton height={16} width="35%" m="18px var(--gutter) 14px" />
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} className={classes.row}>
        <Skeleton height={12} width={`${60 - (row % 3) * 10}%`} my={4} />
        <Skeleton height={10} width={`${40 - (row % 3) * 10}%`} my={4} />
      </div>
    ))}
  </Card>
);
