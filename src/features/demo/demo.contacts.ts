import type { ContactInput } from '#contract/contacts.ts';

export type DemoContact = ContactInput & { name: string; tags: string[] };

/** The people of the demo: each tenant has a flat and a rent of their own. Addresses and numbers are reserved for examples. */
export const demoContacts: DemoContact[] = [
  tenant('Maya Fischer', { street: 'Elm Street', flat: '12 Elm Street, 1a', rent: '€ 1,180.00', line: 141 }),
  tenant('Jonas Okafor', { street: 'Elm Street', flat: '12 Elm Street, 2b', rent: '€ 960.00', line: 172 }),
  tenant('Lucía Romero', { street: 'Elm Street', flat: '12 Elm Street, 3a', rent: '€ 1,340.00', line: 118 }),
  tenant('Henrik Solberg', { street: 'Elm Street', flat: '12 Elm Street, 3b', rent: '€ 1,075.00', line: 123 }),
  tenant('Priya Raman', { street: 'Elm Street', flat: '12 Elm Street, 4a', rent: '€ 1,420.00', line: 129 }),
  tenant('Paweł Nowak', { street: 'Elm Street', flat: '12 Elm Street, 4b', rent: '€ 990.00', line: 187 }),
  tenant('Grace Mbeki', { street: 'Elm Street', flat: '12 Elm Street, 5a', rent: '€ 1,510.00', line: 134 }),
  tenant('Inès Moreau', { street: 'Harbour Lane', flat: '4 Harbour Lane, 1', rent: '€ 1,260.00', line: 145 }),
  tenant('Daniel Katz', { street: 'Harbour Lane', flat: '4 Harbour Lane, 2', rent: '€ 1,115.00', line: 150 }),
  tenant('Yuki Tanaka', { street: 'Harbour Lane', flat: '4 Harbour Lane, 3', rent: '€ 1,290.00', line: 156 }),
  tenant('Oliver Brandt', { street: 'Harbour Lane', flat: '4 Harbour Lane, 4', rent: '€ 1,040.00', line: 159 }),
  tenant('Fatima Zahra', { street: 'Harbour Lane', flat: '4 Harbour Lane, 5', rent: '€ 1,365.00', line: 166 }),
  tenant('Samuel Osei', { street: 'Mill Road', flat: '27 Mill Road, left', rent: '€ 1,720.00', line: 177 }),
  tenant('Clara Lindqvist', { street: 'Mill Road', flat: '27 Mill Road, right', rent: '€ 1,690.00', line: 181 }),
  colleague('Tomasz Zieliński', { role: 'Caretaker', line: 163 }),
  colleague('Amara Nwosu', { role: 'Lettings', line: 101 }),
  colleague('Ruth Adler', { role: 'Accounts', line: 108 }),
];

/** The contacts with this tag. */
export const taggedWith = (tag: string): DemoContact[] => demoContacts.filter(({ tags }) => tags.includes(tag));

/** The contacts whose mailbox no longer exists, who unsubscribed, and whose number nobody answers. */
export const unreachable = {
  bounced: addressOf('Paweł Nowak'),
  unsubscribed: addressOf('Inès Moreau'),
  number: numberOf(187),
};

function tenant(
  name: string,
  { street, flat, rent, line }: { street: string; flat: string; rent: string; line: number },
): DemoContact {
  return { ...person(name, line), variables: { amount: rent, unit: flat }, tags: ['tenant', street] };
}

function colleague(name: string, { role, line }: { role: string; line: number }): DemoContact {
  return { ...person(name, line), variables: { role }, tags: ['team'] };
}

function person(name: string, line: number) {
  const [first = null, last = null] = name.split(' ');
  const noFields = { salutation: null, language: null, preferred_channel: null, note: null, timezone: null };
  return { name, first_name: first, last_name: last, ...noFields, email: addressOf(name), phone: numberOf(line) };
}

/** Replaces letters such as ø, from which no accent can be removed. */
function addressOf(name: string): string {
  const plain = name.replaceAll('ł', 'l').normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return `${plain.toLowerCase().replace(' ', '.')}@example.com`;
}

function numberOf(line: number): string {
  return `+12025550${line}`;
}
