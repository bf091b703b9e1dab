import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { graceDays, trialDays } from '#contract/plans.ts';
import { uptimeGoal } from '#contract/status.ts';
import { configQuery } from '#web/api/config.ts';
import { TextLink } from '#web/ui/links.tsx';
import { PublicPage } from '#web/ui/PublicPage.tsx';
import classes from './legal.module.css';
import { Operator, WriteTo } from './Operator.tsx';

/** On what terms this software is offered. */
export const TermsScreen = () => (
  <PublicPage title="Terms of Service" subtitle="What you can expect from Cuebird, and what is expected of you.">
    <div className={classes.text}>
      <Title order={2} size="h3">
        With whom you agree
      </Title>
      <p>By creating an account you agree to these terms with who runs this installation of Cuebird:</p>
      <Operator />

      <Title order={2} size="h3">
        The service
      </Title>
      <p>
        Cuebird sends the reminders that you write, at the times and through the channels that you choose, and keeps a
        record of each delivery. It hands a message to the provider of its channel; whether it reaches a person is up to
        that provider. Each delivery ends as accepted, delivered, failed, skipped or unknown, with the reason.
      </p>

      <Title order={2} size="h3">
        Your account
      </Title>
      <p>
        Keep your password and your API keys to yourself; what is done with them counts as done by you. An owner of a
        workspace answers for what its members send. You have to be allowed to agree to these terms.
      </p>

      <Title order={2} size="h3">
        What you may not send
      </Title>
      <ul>
        <li>Messages to people who have not agreed to them, or who have unsubscribed.</li>
        <li>Anything unlawful, deceptive or harmful, and anything that hides who sent it.</li>
        <li>Traffic that is meant to disturb the service, or to get around its limits.</li>
      </ul>
      <p>
        An administrator of this installation may suspend an account or a workspace that does so. What waits in it is
        then not sent until the suspension is lifted.
      </p>

      <Title order={2} size="h3">
        Plans and payment
      </Title>
      <Payment />

      <Title order={2} size="h3">
        Availability
      </Title>
      <p>
        The goal is {uptimeGoal}% uptime. It is a goal and no guarantee, unless your contract says otherwise. What works
        at the moment, and how it was in the last 90 days, is on <TextLink to="/support">the support page</TextLink>.
        After an outage, what was due is sent or recorded as missed, as each reminder&apos;s rule says.
      </p>

      <Title order={2} size="h3">
        Your data
      </Title>
      <p>
        What you write stays yours. It is stored and sent only to provide the service, as the{' '}
        <TextLink to="/privacy">privacy policy</TextLink> says. You can export it at any time.
      </p>

      <Title order={2} size="h3">
        The end
      </Title>
      <p>
        You can delete your account or a workspace at any time. A deleted workspace can be restored for a week, and is
        then gone for good. If the service ends, or your account is ended by the other side, you are told beforehand
        where that is possible, so that you can export your data.
      </p>

      <Title order={2} size="h3">
        Liability
      </Title>
      <p>
        The service is provided as it is. Do not make it the only safeguard where a message that is late or missing
        could harm somebody. Nothing here limits rights that the law does not allow to be limited.
      </p>

      <Title order={2} size="h3">
        Changes and questions
      </Title>
      <p>
        These terms may change with the service; this page has those that hold today. <WriteTo /> with questions.
      </p>
    </div>
  </PublicPage>
);

function Payment() {
  const billing = useQuery(configQuery).data?.billing;
  if (billing === 'off') return <p>This installation does not bill: everything in it is free of charge.</p>;
  return (
    <>
      <p>
        A new account has a trial of {trialDays} days without a credit card. Plans are paid monthly in advance, by
        workspace, and go on until they are cancelled; a cancelled plan lasts until the end of the paid month. Prices
        are those shown when you subscribe.
      </p>
      <p>
        If a payment fails, the workspace keeps its plan for a grace period of {graceDays} days, and is then downgraded
        to Free. Nothing is deleted by that.
      </p>
    </>
  );
}
