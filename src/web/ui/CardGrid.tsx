import { SimpleGrid } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';

/** The number of columns on a wide screen. */
type Columns = { columns: 2 | 3 };

export const CardGrid = ({ columns, children }: Columns & { children: ReactNode }) => (
  <SimpleGrid cols={columns === 2 ? { base: 1, sm: 2 } : { base: 1, sm: 2, lg: 3 }} spacing={16}>
    {children}
  </SimpleGrid>
);

type LoadingCardsProps = Columns & {
  /** The label for screen readers, such as `Loading templates`. */
  label: string;
  count: number;
  skeleton: ComponentType;
};

/** Placeholder cards. */
export const LoadingCards = ({ columns, label, count, skeleton: Skeleton }: LoadingCardsProps) => (
  <div aria-busy aria-label={label} role="status">
    <CardGrid columns={columns}>
      {Array.from({ length: count }, (_, card) => (
        <Skeleton key={card} />
      ))}
    </CardGrid>
  </div>
);
