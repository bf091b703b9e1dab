import type { PathWord } from '#contract/routes.ts';

type Area = { name: string; description: string; starts: readonly PathWord[] };

/** The areas of the API, in the order in which the documentation shows them, with the words that their paths start with after `/api`. */
const areas: readonly Area[] = [
  {
    name: 'Templates',
    description: 'Texts that people write once, with their categories, versions and previews.',
    starts: ['templates', 'template-categories'],
  },
  {
    name: 'Channels',
    description: 'The providers that messages are sent through.',
    starts: ['channels', 'channel-types'],
  },
  {
    name: 'Notifications',
    description: 'Send a message that is made from a template, now.',
    starts: ['notifications'],
  },
  {
    name: 'Jobs',
    description: 'Schedule messages, and follow what was sent to whom.',
    starts: ['jobs', 'job-executions', 'deliveries'],
  },
  {
    name: 'Reminders',
    description: 'What is sent by a schedule or an event, to whom, and when.',
    starts: ['reminders'],
  },
  {
    name: 'Contacts',
    description:
      'People, their tags and groups, the topics that they can leave, who is not written to, and what they said about it.',
    starts: ['contacts', 'contact-groups', 'contact-tags', 'audience', 'suppressions', 'consents', 'topics'],
  },
  {
    name: 'Events',
    description: 'Report what has happened elsewhere, so that reminders that wait for it are sent.',
    starts: ['events', 'hooks'],
  },
  {
    name: 'Webhooks',
    description: 'Have activities of the workspace sent to URLs, see what was answered, and send them again.',
    starts: ['webhooks'],
  },
];

const other = {
  name: 'Other',
  description: 'Export and import of a workspace, figures, browsers for push messages, live updates, and the sandbox.',
};

export const tags = [...areas, other].map(({ name, description }) => ({ name, description }));

/** The area of a route, by its path. */
export const tagOf = (path: string): string =>
  areas.find(({ starts }) => starts.some((start) => path.split('/')[2] === start))?.name ?? other.name;
