/** The areas of the API, in the order in which the documentation shows them. */
export const tags = [
  { name: 'Templates', description: 'Texts that people write once, with their categories, versions and previews.' },
  { name: 'Channels', description: 'The providers that messages are sent through.' },
  { name: 'Notifications', description: 'Send a message that is made from a template, now.' },
  { name: 'Jobs', description: 'Plan messages, and follow what was sent to whom.' },
  { name: 'Reminders', description: 'What is sent by a schedule or an event, to whom, and when.' },
  { name: 'Contacts', description: 'People, their tags and groups, and who is not written to.' },
  { name: 'Events', description: 'Report what has happened elsewhere, so that reminders that wait for it are sent.' },
  {
    name: 'Webhooks',
    description: 'Have events of the workspace sent to URLs, see what was answered, and send them again.',
  },
  {
    name: 'Other',
    description:
      'Export and import of a workspace, figures, browsers for push messages, live updates, and the sandbox.',
  },
] as const;

type Tag = (typeof tags)[number]['name'];

const areas: Readonly<Record<string, Tag>> = {
  templates: 'Templates',
  'template-categories': 'Templates',
  channels: 'Channels',
  'channel-types': 'Channels',
  notifications: 'Notifications',
  jobs: 'Jobs',
  'job-executions': 'Jobs',
  deliveries: 'Jobs',
  reminders: 'Reminders',
  contacts: 'Contacts',
  'contact-groups': 'Contacts',
  'contact-tags': 'Contacts',
  audience: 'Contacts',
  suppressions: 'Contacts',
  events: 'Events',
  hooks: 'Events',
  webhooks: 'Webhooks',
};

/** The area of a route, by the first part of its path after `/api`. */
export const tagOf = (path: string): Tag => areas[path.split('/')[2] ?? ''] ?? 'Other';
