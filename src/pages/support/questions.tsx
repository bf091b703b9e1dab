import type { ReactNode } from 'react';

/** What people ask most, in the order of the specification. */
export const questions: readonly { question: string; answer: ReactNode }[] = [
  {
    question: 'How do I create a reminder?',
    answer: (
      <p>
        Choose Create Reminder on the Reminders screen. Give it a title, say when it is sent (once, daily, weekly,
        monthly, by a cron expression, or after an event), choose channels and recipients, and write the message. Or
        describe all of it in one line, and Cuebird fills in the form: <a href="/docs/getting-started">step by step</a>.
      </p>
    ),
  },
  {
    question: 'Which channels are there?',
    answer: (
      <p>
        Email, SMS, WhatsApp, Slack, web push and webhooks. Owners and admins of a workspace add the account of a
        provider on the Channels screen, and test it there. A webhook sends a signed request to an address of yours.
      </p>
    ),
  },
  {
    question: 'How do templates and variables work?',
    answer: (
      <p>
        A template is a text that you use again. Names in double braces are variables: in{' '}
        <code>
          Dear {'{{name}}'}, we meet on {'{{date}}'}
        </code>
        , each recipient gets their own name and date. Values come from the contact, from the reminder, or from the
        event that starts it; the preview shows the result before anything is sent.
      </p>
    ),
  },
  {
    question: 'What is a workspace?',
    answer: (
      <p>
        What a team shares: reminders, templates, channels, contacts and members. Workspaces see nothing of each other.
        You can belong to several, and switch between them in the top bar.
      </p>
    ),
  },
  {
    question: 'How do I invite members?',
    answer: (
      <p>
        On the workspace&apos;s manage screen, under Members, choose Invite and enter an email address. The person gets
        a link by mail, which you can also copy, and joins with that address. Owners and admins may invite.
      </p>
    ),
  },
  {
    question: 'Does Cuebird work with my calendar?',
    answer: (
      <p>
        Yes: on the workspace&apos;s manage screen, under Overview, create a feed, and add its address to Google
        Calendar, Outlook or Apple Calendar. It shows what will be sent. The other direction: add the address of a
        calendar or a file there, and a message is sent before each of its events. It moves with its event.
      </p>
    ),
  },
  {
    question: 'What happens if I miss a payment?',
    answer: (
      <p>
        The workspace keeps its plan for a grace period of seven days, in which you can pay. After that it is downgraded
        to Free. Nothing is deleted: what is beyond the limits of Free is not sent, until you choose a plan again.
      </p>
    ),
  },
  {
    question: 'Can I export my data?',
    answer: (
      <p>
        Yes. Export workspace, in the settings of a workspace, is one JSON file with its reminders, templates, contacts,
        suppressions and settings, which another workspace can import. Jobs, deliveries, contacts and the audit log can
        be downloaded as CSV files. Download my data, in your own settings, has what Cuebird stores about you.
      </p>
    ),
  },
];
