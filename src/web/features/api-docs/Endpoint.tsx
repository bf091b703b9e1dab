import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import type { ApiArea, ApiOperation } from '#web/api/open-api.ts';
import classes from './api-docs.module.css';
import { EndpointDetails } from './EndpointDetails.tsx';

type EndpointProps = { operation: ApiOperation; areas: ApiArea[]; isOpen: boolean; onToggle: () => void };

/** A row with method, path and purpose, which opens to everything else. */
export function Endpoint({ operation, areas, isOpen, onToggle }: EndpointProps) {
  const id = useId();
  const { method, path, summary } = operation;
  return (
    <li className={classes.endpoint} data-endpoint={operation.id}>
      <h3 className={classes.endpointHead}>
        <UnstyledButton
          className={classes.endpointButton}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={onToggle}
        >
          <IconChevronRight className={classes.chevron} size={16} aria-hidden />
          <code className={classes.method}>{method}</code>
          <span className={classes.endpointWords}>
            <code className={classes.path}>{path}</code>
            <span className={classes.summary}>{summary}</span>
          </span>
        </UnstyledButton>
      </h3>
      {isOpen && (
        <div id={id}>
          <EndpointDetails operation={operation} areas={areas} />
        </div>
      )}
    </li>
  );
}
