import type { ContactInput } from '#contract/contacts.ts';

/** The people of the demo's reminders: each tenant has a rent of their own. The numbers are reserved for examples. */
export const demoContacts: ContactInput[] = [
  tenant('Maya Fischer', {
    email: 'maya.fischer@example.com',
    phone: '+12025550141',
    flat: '12 Elm Street, 1a',
    rent: '€ 1,180.00',
  }),
  tenant('Jonas Okafor', {
    email: 'jonas.okafor@example.com',
    phone: '+12025550172',
    flat: '12 Elm Street, 2b',
    rent: '€ 960.00',
  }),
  tenant('Lucía Romero', {
    email: 'lucia.romero@example.com',
    phone: '+12025550118',
    flat: '12 Elm Street, 3a',
    rent: '€ 1,340.00',
  }),
  {
    name: 'Tomasz Zieliński',
    email: 'tomasz.zielinski@example.com',
    phone: '+12025550163',
    timezone: null,
    variables: {},
  },
  { name: 'Amara Nwosu', email: 'amara.nwosu@example.com', phone: null, timezone: 'Africa/Lagos', variables: {} },
];

function tenant(
  name: string,
  { flat, rent, ...reached }: { email: string; phone: string; flat: string; rent: string },
) {
  return { name, ...reached, timezone: null, variables: { amount: rent, flat } };
}
