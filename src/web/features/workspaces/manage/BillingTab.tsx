import { Box, Button, Flex, Group } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Workspace } from '#contract/workspaces.ts';
import { openCustomerPortal, useBilling } from '#web/api/billing.ts';
import { configQuery } from '#web/api/config.ts';
import { rememberWorkspace } from '#web/api/current-workspace.ts';
import { Trial } from '#web/features/billing/CurrentPlan.tsx';
import { openPage } from '#web/features/billing/open-page.ts';
import { planName, statusWord } from '#web/features/billing/plan-words.ts';
import { Fact, Facts } from '#web/ui/Facts.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { RecordSection } from '#web/ui/Record.tsx';

/** The plan of the workspace. Its owner sees what was charged, and manages the subscription. */
export function BillingTab({ workspace }: { workspace: Workspace }) {
  const isOff = useQuery(configQuery).data?.billing === 'off';
  const billing = useBilling(workspace.id).data;
  return (
    <RecordSection title="Plan">
      {!isOff && (
        <Facts>
          <Fact name="Plan">{planName(workspace.subscription_tier)}</Fact>
          <Fact name="Status">{statusWord(workspace.subscription_status)}</Fact>
          {workspace.subscription_end_date !== null && (
            <Fact name={billing?.ends === true ? 'Ends on' : 'Renewal date'}>
              <InstantText at={workspace.subscription_end_date} show="day" />
            </Fact>
          )}
        </Facts>
      )}
      {billing !== undefined && (
        <Box p="0 var(--gutter) 16px">
          <Trial billing={billing} />
        </Box>
      )}
      {isOff ? (
        <Flex component="p" gap={8} wrap="wrap" m={0} p="0 var(--gutter) 20px">
          Billing is off on this installation: no plan limits anything.
        </Flex>
      ) : (
        workspace.role === 'owner' && (
          <Group gap={8} align="stretch" p="0 var(--gutter) 20px">
            <ButtonLink
              to="/billing"
              hash="invoices"
              variant="default"
              // The page is that of the current workspace.
              onClick={() => rememberWorkspace(workspace.id)}
            >
              View Billing History
            </ButtonLink>
            <Button
              variant="default"
              rightSection={<IconExternalLink size={16} aria-hidden />}
              onClick={() => void openPage(openCustomerPortal, 'Failed to access customer portal')}
            >
              Manage Subscription
            </Button>
          </Group>
        )
      )}
    </RecordSection>
  );
}
