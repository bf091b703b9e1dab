import { auditLogDays } from '#contract/audit-log.ts';
import { keptDemoRequests } from '#contract/demo-requests.ts';
import { historyDays } from '#contract/status.ts';
import { supportKeptDays } from '#contract/support.ts';
import { unknownPathLimits } from '#contract/unknown-paths.ts';
import { LegalPage } from './LegalPage.tsx';
import { Operator, WriteTo } from './Operator.tsx';

/** What is kept for how long, in the order of the table. */
const kept: readonly [what: string, howLong: string][] = [
  ['Your account: name, email address, password as a hash, timezone, picture, second factor', 'until you delete it'],
  [
    'Sessions: browser, address and time of the last use',
    'until they end: 30 days after the last use, or 90 after the sign-in where the operator has turned that off',
  ],
  [
    'What a workspace contains: reminders, templates, channels, contacts, and who was sent what and when',
    'until the workspace deletes it; deliveries also end after the period that the workspace has set, 30 days at least',
  ],
  ['A demo that is opened without an account, with what is written in it', 'a day'],
  ['A deleted workspace', 'a week, in which its owner can restore it'],
  ['A deleted reminder', 'a day, in which it can be restored'],
  ['The audit log: who did what, with name, email address and the address of the request', `${auditLogDays} days`],
  ['Who has unsubscribed from a workspace', 'as long as the workspace, so that it is respected'],
  ['Support requests and their answers', `${supportKeptDays} days, also after the account is gone`],
  [
    'Requests for a demo: name, email address and what was asked',
    `${keptDemoRequests.days} days, and at most ${keptDemoRequests.most} of them`,
  ],
  [
    'Where this installation bills: which customer of the payment provider you are, and the state of subscriptions',
    'until you delete your account, and as long as the workspace that is paid for',
  ],
  [
    'Browsers that take push messages: kind, address at the push service of the maker, and keys',
    'until they are turned off or signed out',
  ],
  [
    'The log of the processes, without the contents of messages, but with the account and address of refused requests, and the account for which a screen has failed',
    'the newest 20,000 lines',
  ],
  [
    'Paths that browsers asked for in vain, without who asked',
    `${unknownPathLimits.days} days, and at most ${unknownPathLimits.paths} of them`,
  ],
  [`How well the service ran, by day, without any person`, `${historyDays} days`],
  [
    'Counters that limit requests, by a hash of an address or account',
    'minutes to a day; that an address is known to an account, 90 days',
  ],
  ['Nightly backups, which hold all of this', 'seven nights, and longer where the operator copies them'],
];

/** What this software does with data, and for whom. */
export const PrivacyPage = () => (
  <LegalPage title="Privacy Policy" lead="What Cuebird stores, why, for how long, and who else gets it.">
    <h2>Who is responsible</h2>
    <p>Whoever runs this installation of Cuebird:</p>
    <Operator />
    <p>
      For the people whom a workspace writes to, the workspace decides what is stored and sent; who runs this
      installation stores and sends it on its behalf.
    </p>

    <h2>What is stored, and for how long</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">How long</th>
        </tr>
      </thead>
      <tbody>
        {kept.map(([what, howLong]) => (
          <tr key={what}>
            <td>{what}</td>
            <td>{howLong}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p>
      All of it serves one purpose: to send what people have written to whom they have chosen, once and on time, to
      prove it, and to keep the service and its accounts safe. Nothing is sold, and nothing is used for advertising.
    </p>

    <h2>Cookies and your browser</h2>
    <p>
      Cookies keep you signed in and carry a sign-in to its end. The storage of your browser keeps the chosen workspace,
      the colour scheme, and drafts that you have not saved. There are no cookies of others, no trackers, and no files
      that your browser loads from somewhere else.
    </p>

    <h2>Who else receives data</h2>
    <ul>
      <li>
        The providers of a workspace&apos;s channels (mail servers, SMS and WhatsApp providers, Slack, web addresses)
        get the recipient and the message, when it is sent. The workspace chooses them.
      </li>
      <li>
        The mail server of this installation gets mails about accounts, answers of support, and messages of workspaces
        without a mail server of their own.
      </li>
      <li>
        The push service of a browser&apos;s maker gets encrypted messages, for browsers that have subscribed to them.
      </li>
      <li>Google learns of the sign-in of whoever chooses Continue with Google, where it is offered.</li>
      <li>
        The payment provider gets the name and email address of whoever pays for a plan, where this installation bills.
        Card numbers are entered there, and never reach Cuebird.
      </li>
    </ul>
    <p>
      Administrators of this installation see names, addresses and figures of people and workspaces, and what people ask
      support, and the log; not the messages that workspaces send. Whoever can read the database or a backup can read
      what is in it, apart from passwords and from the secrets of channels, which are encrypted.
    </p>

    <h2>What you can do</h2>
    <ul>
      <li>See and change your data in your profile and settings, and download all of it as one file.</li>
      <li>Delete your account there. Workspaces that only you own have to be deleted or transferred first.</li>
      <li>
        Stop messages by the unsubscribe link in a mail, or by answering STOP to an SMS where the provider reports it.
      </li>
      <li>Ask what is stored about you, have it corrected or deleted, or object to its use.</li>
    </ul>
    <p>
      <WriteTo />, with the category Privacy and data. You get a reply within 30 days. You may also complain to the data
      protection authority where you live.
    </p>
  </LegalPage>
);
