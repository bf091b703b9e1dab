import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Template } from '#contract/templates.ts';
import { useTemplate } from '#web/api/templates.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';

/** Fetches a template with its text, which lists leave out, and renders its children once it is loaded. */
export function WholeTemplate({ id, children }: { id: string; children: (template: Template) => ReactNode }) {
  const { data: template, error, isPending, isFetching, refetch } = useTemplate(id);
  if (isPending) {
    return (
      <div role="status" aria-busy aria-label="Loading the template">
        {[40, 64, 64, 220, 36].map((height, at) => (
          <Skeleton key={at} height={height} mb={16} />
        ))}
      </div>
    );
  }
  if (!template)
    return (
      <ErrorState
        title="Error loading templates"
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
  return children(template);
}
