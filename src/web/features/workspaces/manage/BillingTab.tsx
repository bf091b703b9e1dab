import type { Workspace } from '#contract/workspaces.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import { Fact, Facts } from '#web/ui/Facts.tsx';
import { planName, statusName } from './plan-words.ts';

/** The plan of the workspace. The specification's two buttons do nothing, so they are left out. */
export const BillingTab = ({ workspace }: { workspace: Workspace }) => (
  <RecordSection title="Plan">
    <Facts>
      <Fact name="Plan">{planName(workspace)}</Fact>
      <Fact name="Status">{statusName(workspace)}</Fact>
      {workspace.subscription_end_date !== null && (
        <Fact name="Renewal date">
          <InstantText at={workspace.subscription_end_date} show="day" />
        </Fact>
      )}
    </Facts>
  </RecordSection>
);
