export type DocsPage = {
  /** The name in the URL and of the file: `templates` is `docs/templates.md`, shown at `/docs/templates`. */
  name: string;
  title: string;
  /** Shown by search engines, and on the first page. */
  description: string;
};

export type DocsGroup = { title: string; pages: readonly DocsPage[] };

/** The pages of the documentation, in reading order. Files of `docs/` that are not named here are for who changes Cuebird. */
export const docsGroups: readonly DocsGroup[] = [
  {
    title: 'Using Cuebird',
    pages: [
      {
        name: 'getting-started',
        title: 'Getting started',
        description: 'From an account to the first message that arrived: workspace, reminder, test, outcome.',
      },
      {
        name: 'reminders',
        title: 'Reminders and schedules',
        description: 'When a reminder is sent, to whom, over which channels, and how to pause, test and correct it.',
      },
      {
        name: 'calendars',
        title: 'Reminders from a calendar',
        description: 'An iCalendar address or file whose events become messages, and move and cancel them.',
      },
      {
        name: 'phrases',
        title: 'A reminder in one line',
        description: 'What the line understands: days, times, zones, people, channels and messages, with examples.',
      },
      {
        name: 'templates',
        title: 'Templates and variables',
        description: 'Texts that are written once, variables with defaults, versions, categories and the gallery.',
      },
      {
        name: 'contacts',
        title: 'Contacts and audiences',
        description: 'People with their own values, tags and groups, import and export, and who is not written to.',
      },
      {
        name: 'jobs',
        title: 'Jobs and outcomes',
        description: 'What happened to each message, what the outcomes mean, and how to retry, cancel and export.',
      },
      {
        name: 'export',
        title: 'Export and import',
        description: 'A workspace as one file, imported with a preview and paused, and what was sent as CSV.',
      },
      {
        name: 'plans',
        title: 'Plans',
        description: 'What each plan includes, what is counted, and what happens beyond it.',
      },
    ],
  },
  {
    title: 'Channels',
    pages: [
      {
        name: 'providers',
        title: 'Set up a provider',
        description:
          'Mail servers, Twilio, AWS, MessageBird, Vonage, WhatsApp, Slack, push and webhooks, step by step.',
      },
      {
        name: 'channels',
        title: 'Channels in detail',
        description: 'Receipts, reports, replies, limits, sending hours, bounces, and where secrets go.',
      },
      {
        name: 'delivery-guarantees',
        title: 'Delivery guarantees',
        description:
          'On time, never lost, not twice, not when it should not: each guarantee with the test that proves it.',
      },
    ],
  },
  {
    title: 'For programs',
    pages: [
      {
        name: 'api',
        title: 'API',
        description: 'Keys with scopes, sending a message, waiting for its outcome, and planning messages.',
      },
      {
        name: 'events',
        title: 'Events and hooks',
        description: 'Reminders that another system starts: by the API or by a signed web address, once per event.',
      },
      {
        name: 'webhooks',
        title: 'Webhooks',
        description:
          'What happens in a workspace, sent to your URLs: events, signatures, retries, the log, and sending again.',
      },
      {
        name: 'sandbox',
        title: 'The sandbox',
        description: 'Every provider on this machine: what the emulators check, and failures to try.',
      },
    ],
  },
  {
    title: 'For operators',
    pages: [
      {
        name: 'self-hosting',
        title: 'Self-hosting',
        description: 'Containers, systemd, several machines, a reverse proxy, and mail that arrives.',
      },
      {
        name: 'operations',
        title: 'Operations',
        description: 'Processes, monitoring, backup and restore, keys, payments, limits and retention.',
      },
      {
        name: 'security',
        title: 'Security',
        description: 'Threats and what stops them, keys, and a security standard answered line by line.',
      },
    ],
  },
];

export const docsPages: readonly DocsPage[] = docsGroups.flatMap(({ pages }) => pages);

export const docsPath = (name: string): string => `/docs/${name}`;

/** The page of the walk-throughs, which has no file. */
export const tutorials: DocsPage = {
  name: 'tutorials',
  title: 'Video tutorials',
  description: 'Three short walk-throughs over the real screens, with captions: make, send to a group, see and mend.',
};
