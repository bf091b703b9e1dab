import '@mantine/core/styles/Alert.layer.css';
import { Alert, Box, Button, Card, Flex, Group, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconExternalLink, IconInfoCircle, IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type ChannelType, channelTypes } from '#contract/channel-types.ts';
import { listed } from '#domain/in-words.ts';
import type { Billing } from '#contract/billing.ts';
import { entitlements, type Plan, plans } from '#contract/plans.ts';
import { createCheckout, openCustomerPortal, useBilling, useCheckSubscription } from '#web/api/billing.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { CardGrid } from '#web/ui/CardGrid.tsx';
import { CardSkeleton } from '#web/ui/CardSkeleton.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { notifySuccess } from '#web/ui/notify.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './billing.module.css';
import { CurrentPlan } from './CurrentPlan.tsx';
import { Invoices } from './Invoices.tsx';
import { notifyRefusal, openPage } from './open-page.ts';

const failed = 'Failed to check subscription status';

/** The plan of the current workspace, what it has used, and the plans to change to. */
export function BillingScreen() {
  const { workspace } = useWorkspace();
  return (
    <OfWorkspace key={workspace.id} id={workspace.id} name={workspace.name} isOwner={workspace.role === 'owner'} />
  );
}

function OfWorkspace({ id, name, isOwner }: { id: string; name: string; isOwner: boolean }) {
  const billing = useBilling(id);
  const check = useCheckSubscription();
  const { mutate } = check;
  useEffect(() => {
    mutate(id, { onError: (error) => notifyRefusal(error, failed) });
  }, [id, mutate]);
  const { data } = billing;
  return (
    <>
      <PageHeader
        title="Billing"
        subtitle={`The plan of ${name}`}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={check.isPending}
              onClick={() =>
                mutate(id, {
                  onSuccess: () => notifySuccess('Subscription updated', 'Subscription status has been refreshed'),
                  onError: (error) => notifyRefusal(error, failed),
                })
              }
            >
              Refresh Status
            </Button>
            {isOwner && data !== undefined && isManaged(data) && (
              <Button
                variant="default"
                leftSection={<IconExternalLink size={16} aria-hidden />}
                onClick={() => void openPage(openCustomerPortal, 'Failed to access customer portal')}
              >
                Manage Subscription
              </Button>
            )}
          </>
        }
      />
      {billing.isPending ? (
        <Loading />
      ) : data === undefined ? (
        <ErrorState title={failed} of={billing} />
      ) : (
        <Plans id={id} billing={data} isOwner={isOwner} />
      )}
    </>
  );
}

/** There is something to manage: a subscription that has not ended. Free is active, too. */
const isManaged = ({ mode, status }: Billing) =>
  mode !== 'off' && status !== 'canceled' && status !== 'incomplete_expired';

function Plans({ id, billing, isOwner }: { id: string; billing: Billing; isOwner: boolean }) {
  return (
    <Stack gap="md">
      <Mode mode={billing.mode} />
      {billing.mode !== 'off' && <CurrentPlan billing={billing} />}
      {!isOwner && billing.mode !== 'off' && (
        <p className={prose.dimParagraph}>An owner of the workspace can change its plan.</p>
      )}
      {billing.mode !== 'off' && (
        <section aria-label="Plans">
          <CardGrid columns={3}>
            {plans.map((plan) => (
              <PlanCard
                key={plan.tier}
                plan={plan}
                isCurrent={plan.tier === billing.tier}
                isActive={billing.status === 'active'}
                isOwner={isOwner}
                onSubscribe={() =>
                  openPage(
                    () => createCheckout({ priceId: billing.prices?.[plan.tier] ?? '', workspaceId: id }),
                    'Failed to create checkout session',
                  )
                }
              />
            ))}
          </CardGrid>
        </section>
      )}
      {isOwner && billing.mode !== 'off' && <Invoices workspaceId={id} />}
    </Stack>
  );
}

function Mode({ mode }: Pick<Billing, 'mode'>) {
  if (mode === 'stripe') return null;
  return (
    <Alert
      variant="light"
      icon={<IconInfoCircle size={18} aria-hidden />}
      title={mode === 'off' ? 'Billing is off' : 'Sandbox'}
    >
      {mode === 'off'
        ? 'No plan limits anything on this installation: every workspace has everything.'
        : 'Payments are tried here: the payment page is one of Cuebird, and no money moves.'}
    </Alert>
  );
}

const Loading = () => (
  <Stack gap="md" role="status" aria-busy aria-label="Loading the plan">
    <CardSkeleton lines={3} />
    <CardGrid columns={3}>
      {plans.map(({ tier }) => (
        <CardSkeleton key={tier} lines={10} withActions />
      ))}
    </CardGrid>
  </Stack>
);

const channelWords: Record<ChannelType, string> = {
  email: 'email',
  sms: 'SMS',
  whatsapp: 'WhatsApp',
  webhook: 'webhooks',
  slack: 'Slack',
  push: 'push',
};

/** `over email, SMS and webhooks`, whatever a card's lines name. */
function channelsInWords(tier: Plan['tier']): string {
  const { channels } = entitlements[tier];
  if (channels.length === channelTypes.length) return 'over every channel';
  return `over ${listed(channelTypes.filter((channel) => channels.includes(channel)).map((channel) => channelWords[channel]))}`;
}

type PlanCardProps = {
  plan: Plan;
  /** It is the plan of the workspace. */
  isCurrent: boolean;
  /** The workspace's plan is paid. */
  isActive: boolean;
  isOwner: boolean;
  onSubscribe: () => Promise<void>;
};

/** A plan with its price, and the button that orders it. */
function PlanCard(props: PlanCardProps) {
  const { plan } = props;
  return (
    <Card
      component="article"
      aria-labelledby={`plan-${plan.tier}`}
      className={classes.plan}
      data-popular={plan.isPopular}
    >
      <Group gap="8px 12px">
        <Title order={3} id={`plan-${plan.tier}`}>
          {plan.name}
        </Title>
        {plan.isPopular && <ToneBadge word="Most Popular" tone="moving" />}
      </Group>
      <Text mt={12} c="dimmed">
        <Box component="strong" fz="2rem" lh="2.5rem" fw={640} c="var(--mantine-color-text)">
          ${plan.price}
        </Box>
        /month
      </Text>
      <Text mb={16} fz="sm" c="dimmed">
        Sends {channelsInWords(plan.tier)}
      </Text>
      <Flex component="ul" className={classes.features} direction="column" gap={8} mb={24}>
        {plan.features.map((feature) => (
          <Flex component="li" key={feature} gap={8}>
            <IconCheck size={16} aria-hidden />
            {feature}
          </Flex>
        ))}
      </Flex>
      <Order {...props} />
    </Card>
  );
}

/** The current plan cannot be ordered again; one whose payment is due leads to where it is paid. */
function Order({ plan, isCurrent, isActive, isOwner, onSubscribe }: PlanCardProps) {
  const [isOpening, setIsOpening] = useState(false);
  const open = async () => {
    setIsOpening(true);
    await onSubscribe();
    setIsOpening(false);
  };
  return (
    <Button
      variant={plan.isPopular ? 'filled' : 'default'}
      disabled={!isOwner || (isCurrent && isActive)}
      loading={isOpening}
      onClick={() => void open()}
    >
      {isCurrent ? 'Current Plan' : `Subscribe to ${plan.name}`}
    </Button>
  );
}
