/** The pictures of the landing page; `npm run pictures` takes them, in both schemes. */
export const pictures = [
  {
    name: 'deliveries',
    title: 'Every message, with its outcome',
    text: 'Whom a reminder reached, over which channel, and what the provider said.',
  },
  {
    name: 'templates',
    title: 'Texts that are written once',
    text: 'Templates with variables, shared by the team, with every earlier version.',
  },
] as const;
