import { Card, Skeleton } from '@mantine/core';

type CardSkeletonProps = {
  /** The number of placeholder lines under the title; the same as on the loaded card. */
  lines?: number;
  /** A row of placeholder buttons at the bottom. */
  withActions?: boolean;
};

/** The placeholder of a loading card. */
export function CardSkeleton({ lines = 2, withActions = false }: CardSkeletonProps) {
  return (
    <Card aria-hidden data-testid="skeleton">
      <Skeleton height={20} width="45%" mb={12} />
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={12} width={line === lines - 1 ? '60%' : '90%'} mb={10} />
      ))}
      {withActions && (
        <div style={{ display: 'flex', gap: 8, marginTop: 8 }}>
          <Skeleton height={30} width={72} />
          <Skeleton height={30} width={72} />
          <Skeleton height={30} width={72} />
        </div>
      )}
    </Card>
  );
}
