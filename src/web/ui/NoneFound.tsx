import { Button, Card } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { EmptyState } from './EmptyState.tsx';

/** The empty state of a filtered list. `what` is a plural, as in `No templates found`. */
export const NoneFound = ({ what, onShowAll }: { what: string; onShowAll: () => void }) => (
  <Card>
    <EmptyState
      icon={IconFilterOff}
      title={`No ${what} found`}
      sentence="Try adjusting your search or filters"
      action={
        <Button variant="default" onClick={onShowAll}>
          Show all {what}
        </Button>
      }
    />
  </Card>
);
