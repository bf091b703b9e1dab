import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Template } from '#contract/templates.ts';
import { useTemplate } from '#web/api/templates.ts';
import { Loaded } from '#web/ui/Record.tsx';

/** Fetches a template with its text, which lists leave out, and renders its children once it is loaded. */
export const WholeTemplate = ({ id, children }: { id: string; children: (template: Template) => ReactNode }) => (
  <Loaded
    of={useTemplate(id)}
    failed="Error loading templates"
    skeleton={
      <div role="status" aria-busy aria-label="Loading the template">
        {[40, 64, 64, 220, 36].map((height, at) => (
          <Skeleton key={at} height={height} mb={16} />
        ))}
      </div>
    }
  >
    {children}
  </Loaded>
);
