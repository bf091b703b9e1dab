import spots from './spots.json' with { type: 'json' };

/** Left, top, width and height, in hundredths of the picture. */
export type Spot = readonly [number, number, number, number];

export type WalkStep = { name: string; caption: string };

export type Walk = { id: string; title: string; text: string; steps: readonly WalkStep[] };

/** Steps over real screens: `npm run pictures` goes through them in the product and takes each screen, with the spot that the step is about. */
export const walks: readonly Walk[] = [
  {
    id: 'make-a-reminder',
    title: 'Make a reminder',
    text: 'From one line to an active reminder that says when it comes, and to whom.',
    steps: [
      { name: 'create', caption: 'On Reminders, choose Create Reminder.' },
      {
        name: 'line',
        caption: 'Write what you want in one line. Cuebird says at once how it reads it, with the next times.',
      },
      { name: 'filled', caption: 'Fill in writes the line into the form, where you can change everything.' },
      {
        name: 'message',
        caption:
          'Under Content, write the message. A variable such as {{recipient_name}} becomes each person’s own value.',
      },
      { name: 'reach', caption: 'Who it reaches is counted while you write: who gets it, and who would not, and why.' },
      {
        name: 'save',
        caption: 'Create Reminder saves it. An active reminder is sent at its time, also if no one is looking.',
      },
    ],
  },
  {
    id: 'message-a-group',
    title: 'A message to a group',
    text: 'Everybody of one house, one customer tier or one team, whoever that is on the day.',
    steps: [
      {
        name: 'contacts',
        caption: 'Contacts have values of their own, such as the building they live in. Open the tab Groups.',
      },
      { name: 'rule', caption: 'A group is a rule. It says at once who belongs to it.' },
      { name: 'group', caption: 'Whoever meets the rule later belongs to the group as well: nobody keeps a list.' },
      { name: 'people', caption: 'In a reminder, choose the group under Channels, in the field People.' },
      {
        name: 'counted',
        caption: 'The form counts the people on each channel. Who belongs is asked again when the reminder is sent.',
      },
    ],
  },
  {
    id: 'see-and-mend',
    title: 'See what happened, and mend it',
    text: 'A message did not arrive. Find out why, correct it, and send it again to that person only.',
    steps: [
      { name: 'failed', caption: 'On Jobs, the counters are filters: Failed shows what needs attention.' },
      { name: 'recipients', caption: 'A job lists every recipient with the outcome, problems first.' },
      {
        name: 'reason',
        caption: 'Each attempt has its time and the provider’s own answer. Here the address does not exist.',
      },
      { name: 'contact', caption: 'Correct the address where it is kept: on the contact.' },
      { name: 'retry', caption: 'Retry sends again to those who were not reached, and to nobody twice.' },
    ],
  },
];

export const pictureOf = (walk: Walk, step: WalkStep): string => `${walk.id}-${step.name}`;

/** Where the step is on its picture. */
export function spotOf(walk: Walk, step: WalkStep): Spot {
  const known: Record<string, readonly number[]> = spots;
  const [left = 0, top = 0, width = 100, height = 100] = known[pictureOf(walk, step)] ?? [];
  return [left, top, width, height];
}
