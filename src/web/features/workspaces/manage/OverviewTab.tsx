import { Card, SimpleGrid } from '@mantine/core';
import type { Workspace } from '#contract/workspaces.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import { Fact, Facts } from '#web/ui/Facts.tsx';
import classes from './manage.module.css';
import { planName, statusName } from './plan-words.ts';

/** What the workspace is; nothing is changed here. */
export function OverviewTab({ workspace }: { workspace: Workspace & { member_count: number } }) {
  return (
    <div className={classes.tab}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing={16}>
        <Figure label="Members" value={workspace.member_count.toLocaleString('en')} />
        <Figure label="Plan" value={planName(workspace)} />
        <Figure label="Status" value={statusName(workspace)} />
      </SimpleGrid>
      <RecordSection title="Workspace">
        <Facts>
          <Fact name="Name">{workspace.name}</Fact>
          <Fact name="Description">{workspace.description || 'No description'}</Fact>
          <Fact name="Created">
            <InstantText at={workspace.created_at} show="day" />
          </Fact>
        </Facts>
      </RecordSection>
    </div>
  );
}

const Figure = ({ label, value }: { label: string; value: string }) => (
  <Card padding={20}>
    <dl className={classes.figure}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </dl>
  </Card>
);
