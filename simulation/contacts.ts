import type { Audience } from '#contract/audience.ts';
import { GroupRule } from '#contract/contact-groups.ts';
import type { Act } from '#simulation/people.ts';
import type { Random } from '#simulation/random.ts';
import type { ContactRow } from '#simulation/tables.ts';

/** Some of them are also on lists of recipients. Tags and values are in lower case: the checker compares them as they are. */
const known = [
  { email: 'anna@mail.example', phone: '+49301234567' },
  { email: 'ben@mail.example', phone: '+49307654321' },
  { email: 'cleo@mail.example', phone: '+49305550001' },
  { email: 'dora@mail.example', phone: '+49305550002' },
] as const;
/** Another number of each. */
const moved = ['+49307770000', '+49307770001', '+49307770002', '+49307770003'] as const;

/** The end of a contact's id, for an address that it has or had: no two of them ever have the same. */
export function personAt(address: string): string | null {
  const at = known.findIndex(({ email, phone }, n) => email === address || phone === address || moved[n] === address);
  return at === -1 ? null : String(at);
}

const tags = ['vip', 'tenant'] as const;
const buildings = ['12 elm', '7 oak'] as const;
const groups = 2;

const idOf = (kind: 'a' | 'b', { workspaceId, at }: { workspaceId: string; at: number }) =>
  `01900000-0000-7000-8000-000000000${kind}${workspaceId.slice(-1)}${at}`;

/** The contacts and groups with which a workspace begins. */
export const firstContacts = (random: Random, workspaceId: string): Act[] => [
  ...known.map((_, at) => contactAct(random, { workspaceId, at })),
  ...Array.from({ length: groups }, (_, at) => groupAct(random, { workspaceId, at })),
];

/** Somebody has another number, or the first one again. */
export function changedNumber(random: Random, workspaceId: string): Act {
  const at = random.between(0, known.length - 1);
  const isMoved = random.chance(0.6);
  const phone = (isMoved ? moved[at] : known[at]?.phone) ?? null;
  const contact = { name: `P${at}`, email: known[at]?.email ?? null, phone, tags: ['vip'], variables: {} };
  return { kind: 'contact', workspaceId, contactId: idOf('a', { workspaceId, at }), contact };
}

/** Somebody comes, goes or changes; a group changes or goes. */
export function someContactAct(random: Random, workspaceId: string): Act {
  if (random.chance(0.25)) return groupAct(random, { workspaceId, at: random.between(0, groups - 1), goes: 0.2 });
  return contactAct(random, { workspaceId, at: random.between(0, known.length - 1), goes: 0.25 });
}

function contactAct(
  random: Random,
  { workspaceId, at, goes = 0 }: { workspaceId: string; at: number; goes?: number },
): Act {
  const of = { kind: 'contact' as const, workspaceId, contactId: idOf('a', { workspaceId, at }) };
  if (random.chance(goes)) return { ...of, contact: null };
  const contact: Omit<ContactRow, 'id' | 'workspace_id'> = {
    name: `P${at}`,
    email: random.chance(0.8) ? (known[at]?.email ?? null) : null,
    phone: random.chance(0.7) ? (known[at]?.phone ?? null) : null,
    tags: tags.filter(() => random.chance(0.5)),
    variables: random.chance(0.8) ? { building: random.pick(buildings) } : {},
  };
  return { ...of, contact };
}

function groupAct(
  random: Random,
  { workspaceId, at, goes = 0 }: { workspaceId: string; at: number; goes?: number },
): Act {
  const of = { kind: 'group' as const, workspaceId, groupId: idOf('b', { workspaceId, at }), name: `G${at}` };
  if (random.chance(goes)) return { ...of, rule: null };
  const conditions = [
    { test: random.pick(['has_tag', 'lacks_tag']), tag: random.pick(tags) },
    { test: random.pick(['is', 'is_not', 'contains']), variable: 'building', value: random.pick(buildings) },
  ];
  const rule = { match: random.pick(['all', 'any']), conditions: conditions.slice(0, random.between(1, 2)) };
  return { ...of, rule: GroupRule.parse(rule) };
}

export function someAudience(random: Random, workspaceId: string): Audience {
  const some = (kind: 'a' | 'b', count: number) =>
    Array.from({ length: count }, (_, at) => idOf(kind, { workspaceId, at })).filter(() => random.chance(0.4));
  return {
    everyone: random.chance(0.2),
    groups: some('b', groups),
    tags: tags.filter(() => random.chance(0.4)),
    contacts: random.chance(0.3) ? some('a', known.length) : [],
  };
}
