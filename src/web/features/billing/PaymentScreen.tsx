import { Anchor, Box, Button, Group, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { plans } from '#contract/plans.ts';
import type { PageAct, PaymentPage } from '#contract/sandbox-payments.ts';
import { useActOnPaymentPage, usePaymentPage } from '#web/api/billing.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { LinkPage, LinkRefusal, LinkSkeleton } from '#web/ui/LinkPage.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import classes from './billing.module.css';
import { money, planName, statusTone, statusWord } from './plan-words.ts';

const route = getRouteApi('/themed/sandbox-payments/$id');

/** The payment provider of the sandbox: what a person would see at the real one. */
export function PaymentScreen() {
  const { id } = route.useParams();
  const page = usePaymentPage(id);
  return (
    <LinkPage title="Sandbox payments">
      <Title order={1} size="h2">
        Sandbox payments
      </Title>
      <p>No money moves here.</p>
      {page.isPending ? (
        <LinkSkeleton />
      ) : page.data ? (
        <Page id={id} page={page.data} />
      ) : (
        <LinkRefusal error={page.error} />
      )}
    </LinkPage>
  );
}

type Props = { id: string; page: PaymentPage };

function Page({ id, page }: Props) {
  if (page.kind === 'portal') return <Portal id={id} page={page} />;
  if (page.is_done) return <Done page={page} />;
  return <Order id={id} page={page} />;
}

const Done = ({ page }: Pick<Props, 'page'>) => (
  <>
    <p role="status">
      <strong>Paid.</strong> The workspace has {planName(page.tier ?? 'free')} now.
    </p>
    <Back page={page} />
  </>
);

const Back = ({ page }: Pick<Props, 'page'>) => (
  <Anchor href={page.return_url} display="block" mt={16}>
    Back to Cuebird
  </Anchor>
);

function Order({ id, page }: Props) {
  const act = useActOnPaymentPage(id);
  const plan = plans.find(({ tier }) => tier === page.tier);
  return (
    <>
      <p>Paying as {page.email}</p>
      <Group gap="md" wrap="nowrap" justify="space-between" my="md">
        <span>{page.kind === 'change' ? `Change to ${plan?.name}` : `${plan?.name}, monthly`}</span>
        <strong>{money((plan?.price ?? 0) * 100)} a month</strong>
      </Group>
      {page.kind === 'change' && <p>What is left of this month is charged now, less what is already paid.</p>}
      <LinkRefusal error={act.error} />
      <Button fullWidth loading={act.isPending} onClick={() => act.mutate({ act: 'pay' })}>
        {page.kind === 'change' ? 'Confirm the change' : 'Pay'}
      </Button>
      <Back page={page} />
    </>
  );
}

function Portal({ id, page }: Props) {
  const act = useActOnPaymentPage(id);
  const live = page.subscriptions.filter(({ status }) => status !== 'canceled');
  return (
    <>
      <p>Signed in as {page.email}</p>
      <LinkRefusal error={act.error} />
      {live.length === 0 && <p>There is no subscription.</p>}
      {live.map((subscription) => (
        <Subscription
          key={subscription.id}
          of={subscription}
          isBusy={act.isPending}
          onAct={(chosen) => act.mutate({ act: chosen, subscription: subscription.id })}
        />
      ))}
      {page.invoices.length > 0 && <Invoices invoices={page.invoices} />}
      <Back page={page} />
    </>
  );
}

const Invoices = ({ invoices }: Pick<PaymentPage, 'invoices'>) => (
  <ul className={classes.invoices} aria-label="Invoices">
    {invoices.map(({ id, number, total, status }) => (
      <li key={id}>
        <span>{number}</span>
        <span>{statusWord(status)}</span>
        <Box component="span" className="figures" ta="right">
          {money(total)}
        </Box>
      </li>
    ))}
  </ul>
);

type SubscriptionProps = {
  of: PaymentPage['subscriptions'][number];
  isBusy: boolean;
  onAct: (act: PageAct) => void;
};

function Subscription({ of, isBusy, onAct }: SubscriptionProps) {
  const button = (act: PageAct, word: string) => (
    <Button variant="default" size="compact-md" disabled={isBusy} onClick={() => onAct(act)}>
      {word}
    </Button>
  );
  return (
    <section className={classes.subscription} aria-label={planName(of.tier)}>
      <Group gap="8px 12px">
        <strong>{planName(of.tier)}</strong>
        <ToneBadge word={statusWord(of.status)} tone={statusTone(of.status)} />
      </Group>
      <p>
        {of.is_cancelled ? 'Ends on ' : 'Renews on '}
        <InstantText at={of.current_period_end} show="day" />
      </p>
      <Group gap="xs" mt="md">
        {of.status === 'past_due'
          ? button('pay_invoice', 'Pay the invoice')
          : button('fail_payment', 'Let a payment fail')}
        {of.is_cancelled
          ? button('resume', 'Keep the subscription')
          : button('cancel', 'Cancel at the end of the month')}
        {button('end_now', 'End it now')}
      </Group>
    </section>
  );
}
