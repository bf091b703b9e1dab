import { graceDays, trialDays } from '#contract/plans.ts';
import { uptimeGoal } from '#contract/status.ts';
import { Unless, When } from '#pages/When.tsx';
import { LegalPage } from './LegalPage.tsx';
import { Operator, WriteTo } from './Operator.tsx';

/** On what terms this software is offered. */
export const TermsPage = () => (
  <LegalPage title="Terms of Service" lead="What you can expect from Cuebird, and what is expected of you.">
    <h2>With whom you agree</h2>
    <p>By creating an account you agree to these terms with who runs this installation of Cuebird:</p>
    <Operator />

    <h2>The service</h2>
    <p>
      Cuebird sends the reminders that you write, at the times and through the channels that you choose, and keeps a
      record of each delivery. It hands a message to the provider of its channel; whether it reaches a person is up to
      that provider. Each delivery ends as accepted, delivered, failed, skipped or unknown, with the reason.
    </p>

    <h2>Your account</h2>
    <p>
      Keep your password and your API keys to yourself; what is done with them counts as done by you. An owner of a
      workspace answers for what its members send. You have to be allowed to agree to these terms.
    </p>

    <h2>What you may not send</h2>
    <ul>
      <li>Messages to people who have not agreed to them, or who have unsubscribed.</li>
      <li>Anything unlawful, deceptive or harmful, and anything that hides who sent it.</li>
      <li>Traffic that is meant to disturb the service, or to get around its limits.</li>
    </ul>
    <p>
      An administrator of this installation may suspend an account or a workspace that does so. What waits in it is then
      not sent until the suspension is lifted.
    </p>

    <h2>Plans and payment</h2>
    <Payment />

    <h2>Availability</h2>
    <p>
      The goal is {uptimeGoal}% uptime. It is a goal and no guarantee, unless your contract says otherwise. What works
      at the moment, and how it was in the last 90 days, is on <a href="/support">the support page</a>. After an outage,
      what was due is sent or recorded as missed, as each reminder&apos;s rule says.
    </p>

    <h2>Your data</h2>
    <p>
      What you write stays yours. It is stored and sent only to provide the service, as the{' '}
      <a href="/privacy">privacy policy</a> says. You can export it at any time.
    </p>

    <h2>The end</h2>
    <p>
      You can delete your account or a workspace at any time. A deleted workspace can be restored for a week, and is
      then gone for good. If the service ends, or your account is ended by the other side, you are told beforehand where
      that is possible, so that you can export your data.
    </p>

    <h2>Liability</h2>
    <p>
      The service is provided as it is. Do not make it the only safeguard where a message that is late or missing could
      harm somebody. Nothing here limits rights that the law does not allow to be limited.
    </p>

    <h2>Changes and questions</h2>
    <p>
      These terms may change with the service; this page has those that hold today. <WriteTo /> with questions.
    </p>
  </LegalPage>
);

const Payment = () => (
  <>
    <Unless set="billing">
      <p>This installation does not bill: everything in it is free of charge.</p>
    </Unless>
    <When set="billing">
      <p>
        A new account has a trial of {trialDays} days without a credit card. Plans are paid monthly in advance, by
        workspace, and go on until they are cancelled; a cancelled plan lasts until the end of the paid month. Prices
        are those shown when you subscribe.
      </p>
      <p>
        If a payment fails, the workspace keeps its plan for a grace period of {graceDays} days, and is then downgraded
        to Free. Nothing is deleted by that.
      </p>
    </When>
  </>
);
