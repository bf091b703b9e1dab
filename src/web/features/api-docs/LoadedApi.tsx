import { Card, Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type ApiArea, openApiQuery } from '#web/api/open-api.ts';
import { Loaded } from '#web/ui/Record.tsx';
import classes from './api-docs.module.css';

/** Shows what needs the description of the API, once it is loaded. */
export const LoadedApi = ({ children }: { children: (areas: ApiArea[]) => ReactNode }) => (
  <Loaded of={useQuery(openApiQuery)} failed="Error loading the API documentation" skeleton={<ApiSkeleton />}>
    {children}
  </Loaded>
);

const ApiSkeleton = () => (
  <Stack gap="xl" role="status" aria-busy aria-label="Loading the API documentation">
    {[4, 3].map((rows) => (
      <div key={rows}>
        <Skeleton height={24} width={160} mb={12} />
        <Card padding={0}>
          {Array.from({ length: rows }, (_, row) => (
            <Group key={row} className={classes.endpoint} gap="md" wrap="nowrap" px="var(--gutter)" py="md">
              <Skeleton height={14} width={48} />
              <Skeleton height={14} width={`${60 - row * 8}%`} />
            </Group>
          ))}
        </Card>
      </div>
    ))}
  </Stack>
);
