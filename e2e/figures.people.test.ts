import { afterAll, beforeAll, describe, it } from 'vitest';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';
import { counted, isTest, jobs, outcomes, reminders, seedInstallation } from '#testing/installation.ts';
import { fellBack, lacksStreet } from '#testing/run-of-people.ts';
import { insertBackup, sampleBackup } from '#testing/sample-backup.ts';
import { sample } from '#testing/sample.ts';
import { sampleReminder } from '#testing/samples.ts';
import { expectFigures, percent, type Screen, times } from './figures.fixture.ts';
import {
  furnishPine,
  type Ids,
  leftEvents,
  leftOptional,
  messages,
  reached,
  run,
  sms,
  suppressed,
  tenants,
  withoutAddress,
} from './figures.people.fixture.ts';
import { type Lease, openOwnPage } from './pages.ts';
import { cookiesOf } from './screens.fixture.ts';

const isSent = ({ status }: { status: string }) => ['accepted', 'delivered'].includes(status);
const sent = messages.filter(isSent).length;
const inRun = run.length;
const reachedInRun = run.filter((lines) => Object.values(lines).some(isSent)).length;
const lacking = run.filter((lines) => lines === lacksStreet).length;
const runText = `${reachedInRun} of ${inRun} people · ${lacking} lacks Street`;
const contacts = tenants.length + inRun;
const rate = percent(reachedInRun, inRun);
const reachedText = `${reachedInRun} of ${inRun} people reached`;

/** Who gets only what is required, and whom a reminder names beside its group. */
const left = leftEvents.length + leftOptional.length;
const named = sampleReminder.content.recipients.length;
const reachOfOptional = [
  `${reached - left + named} get it`,
  `${withoutAddress.length} has no email address`,
  `${suppressed.length} suppressed`,
  `${left} opted out of this`,
];
const simulated = `SMS: no answer; ${sms.failures} more times`;

type Who = 'elm' | 'pine' | 'ann';
type OwnScreen = Screen & { as: Who /** Shown only where there is room for two panes. */; isWide?: boolean };

const today = () => Temporal.Now.plainDateISO('UTC');
let seededOn = today();
const dayText = (day: Temporal.PlainDate) =>
  day.toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** A daily reminder is sent at 09:00 from today or tomorrow on. */
function daysAhead(): number {
  const isOver = Temporal.Now.plainTimeISO('UTC').hour >= 9;
  return isOver ? 59 : 60;
}

const listed = reminders.filter(({ state }) => state !== null);
const scheduleLines: Record<string, string[]> = {
  once2026: ['Once, on Thursday, 1 January 2026, at 09:00'],
  once2099: ['Once, on Thursday, 1 January 2099, at 09:00'],
  daily: ['Every day at 09:00'],
  event: [],
};

function scheduleOf({ schedule }: (typeof reminders)[number]): keyof typeof scheduleLines {
  if (!('startDate' in schedule)) return 'event';
  return schedule.scheduleType === 'daily' ? 'daily' : `once${schedule.startDate.slice(0, 4)}`;
}

const cardsOf = (of: readonly (typeof reminders)[number][]) => [
  ...of.flatMap((reminder) => scheduleLines[scheduleOf(reminder)] ?? []),
  ...(of.length > 0 ? [`${of.length} cards`] : []),
];

const scheduleWords: Record<string, string> = {
  once2026: 'One-time',
  once2099: 'One-time',
  daily: 'Daily',
  event: 'Event: user_signup',
};
const stateWords: Record<string, string> = { active: 'Active', paused: 'Paused', draft: 'Draft', done: 'Done' };

/** A row of the table of reminders; times are hidden. */
function rowOf(reminder: (typeof reminders)[number]): string {
  const schedule = scheduleOf(reminder);
  const next =
    reminder.state !== 'active' ? ' –' : ({ event: ' After the event', daily: ' No more occurrences' }[schedule] ?? '');
  return `${stateWords[reminder.state ?? '']} ${scheduleWords[schedule]}${next} ${sampleReminder.content.recipients.length}`;
}

const jobCards = ['Total 3', 'Pending 2', 'Running 0', 'Completed 0', 'Failed 1'];

const jobRows = ['1/8 2.0s', runText, '0/16 –', '0/16 –', '3 of 3 jobs'];

function screensOf(ids: Ids): OwnScreen[] {
  const analytics = (search: string) => `/admin/workspace/${ids.pine}/analytics${search}`;
  const states = ['active', 'paused', 'draft', 'done'] as const;
  const summary = ['Total Templates 0', 'Active Reminders 2', `Success Rate ${rate}`, reachedText, 'Active Members 1'];
  const byChannel = ['Email', 'SMS'].map((channel) => {
    const of = messages.filter((message) => message.channel === channel);
    return { channel, sent: of.filter(isSent).length, failed: of.filter((message) => !isSent(message)).length };
  });
  return [
    { as: 'elm', path: '/reminders', figures: cardsOf(listed) },
    ...states.map((state) => ({
      as: 'elm' as const,
      path: `/reminders?status=${state}`,
      figures: cardsOf(listed.filter((one) => one.state === state)),
    })),
    { as: 'elm', path: '/reminders?view=table', figures: listed.map(rowOf) },
    {
      as: 'pine',
      path: '/reminders?view=cards',
      figures: [
        'Every day at 09:00',
        `Last: , partly sent, ${reachedInRun} of ${inRun} people`,
        `Tenants · ${tenants.length} in its audience`,
        `Tenants · ${tenants.length} in its audience + ${named} recipient`,
        '100 days after “user signup” happens',
        '2 cards',
      ],
    },
    {
      as: 'pine',
      name: 'the page of a reminder',
      path: `/reminders/${ids.daily}`,
      figures: [
        runText,
        'Daily · Every day at 09:00 · Email · UTC · medium priority',
        `${reached} get it`,
        `${withoutAddress.length} has no email address`,
        `${suppressed.length} suppressed`,
        `${left} of them have left optional messages, and get it because its topic is required.`,
        `${tenants.length} people belong to it now`,
      ],
    },
    {
      as: 'pine',
      name: 'the page of a reminder with a topic that people have left',
      path: `/reminders/${ids.signedUp}`,
      figures: [
        'Event: user_signup · 100 days after “user signup” happens · Email · UTC · medium priority',
        ...reachOfOptional,
        `${tenants.length} people belong to it now`,
      ],
    },
    {
      as: 'pine',
      path: '/jobs',
      figures: [...jobCards, ...jobRows],
    },
    {
      as: 'pine',
      name: 'the details of a job',
      path: `/jobs?job=${ids.job}`,
      figures: [
        ...jobCards,
        ...jobRows,
        `Sent to ${runText}`,
        `Retry ${lacking} failed`,
        `${lacking} person: There is no value for {{street}}.`,
        '1/8',
        'Start to end 2.0s',
        'Partly sent 2.0s',
        `${messages.length} messages to ${inRun} people`,
        `All ${messages.length}`,
        `Sent ${sent}`,
        'Waiting 0',
        `Failed ${messages.length - sent}`,
        'Skipped 0',
        ...times(messages.length, '1 attempt'),
      ],
    },
    {
      as: 'pine',
      name: 'the report of a job',
      path: `/jobs/${ids.job}/report`,
      figures: [
        '1 cards',
        runText,
        `${messages.length}: ${messages.filter(({ status }) => status === 'failed').length} Failed, ${messages.filter(({ status }) => status === 'accepted').length} Accepted, ${messages.filter(({ status }) => status === 'delivered').length} Delivered`,
        ...messages.map(
          ({ channel, status }) =>
            `Attempt 1: ${stateWordOf(status)}, answered after ${channel === 'SMS' ? '1.0s' : '0.0s'}`,
        ),
      ],
    },
    {
      as: 'pine',
      path: '/agenda',
      figures: [
        ...times(daysAhead(), '1 occurrence'),
        ...times(daysAhead(), `${tenants.length} in its audience`),
        '1 active reminder waits for an event: when it is sent cannot be known before. See reminders',
      ],
    },
    { as: 'pine', path: '/contacts', figures: [`${contacts} contacts`, `${contacts} shown`] },
    {
      as: 'pine',
      path: '/contacts?tab=groups',
      figures: [`${tenants.length} people`, '2 reminders'],
    },
    {
      as: 'pine',
      path: '/contacts?tab=suppressed',
      figures: [`${suppressed.length + leftEvents.length + leftOptional.length} shown`],
    },
    ...(
      [
        ['everything', suppressed],
        ['optional', leftOptional],
        [ids.events, leftEvents],
      ] as const
    ).map(([covered, names]) => ({
      as: 'pine' as const,
      name: `the suppression list of ${covered === ids.events ? 'a topic' : covered}`,
      path: `/contacts?tab=suppressed&covers=${covered}`,
      figures: [`${names.length} shown`],
    })),
    {
      as: 'pine',
      name: 'the topics',
      path: `/admin/workspace/${ids.pine}/manage?tab=topics`,
      figures: ['1 reminder · nobody can leave it', `1 reminder · ${leftEvents.length} have left it`],
    },
    {
      as: 'pine',
      name: 'the topic of a reminder in its form',
      path: `/reminders/${ids.signedUp}/edit?tab=content`,
      figures: [
        `To Tenants · ${tenants.length} in its audience + ${named} recipient`,
        `People can leave it: ${leftEvents.length} have.`,
        // Beside the preview, and above the button.
        ...reachOfOptional,
        ...reachOfOptional,
      ],
    },
    { as: 'pine', path: '/inbox', figures: [simulated] },
    {
      as: 'pine',
      name: 'an SMS of the inbox',
      path: `/inbox/${ids.sms}`,
      figures: [
        simulated,
        'SMS to +4915112345678',
        `${sms.segments} segments`,
        `${sms.segments} segments ·`,
        '1 cards',
      ],
      // The message stands alone there.
      isWide: true,
    },
    { as: 'pine', path: '/settings', figures: [] },
    {
      as: 'pine',
      name: 'the page of somebody who got it by mail and by SMS',
      path: `/contacts/${ids.twice}`,
      figures: times(Object.keys(fellBack).length, '1 attempt'),
    },
    {
      as: 'pine',
      name: 'the page of somebody to whom nothing was sent',
      path: `/contacts/${ids.bea}`,
      figures: ['From 127.0.0.1'],
    },
    { as: 'pine', path: '/jobs?tab=events', figures: [...jobCards, '1 event'] },
    { as: 'pine', path: '/channels', figures: [] },
    {
      as: 'pine',
      path: '/dashboard',
      figures: [
        'Active Reminders 2',
        '+2 from last week',
        'Completed This Week 1',
        '+1 from last week · 1 of them partly sent',
        'Team Members 1',
        '+1 from last week',
        'Templates 0',
        '±0 from last week',
        '1 occurrence',
        `${tenants.length} addressed`,
        `Partly sent · ${runText}`,
        ...byChannel.flatMap((one) => [`${one.sent} sent`, `${one.failed} failed`]),
      ],
    },
    {
      as: 'pine',
      path: '/billing',
      figures: [
        '3 cards',
        '0 reminders and messages sent this month, without a limit. Each counts once, however many people get it; tests are free.',
        '$9/month',
        '$19/month',
        '$49/month',
        'Up to 100 reminders/month',
      ],
    },
    {
      as: 'pine',
      name: 'the analytics of people',
      path: analytics(''),
      figures: [
        ...summary,
        'Pending 2',
        'Running 0',
        'Completed 0',
        'Failed or partly sent 1',
        'Cancelled 0',
        'Paused 0',
        'Reminders 2',
        'Templates 0',
        `Contacts ${contacts}`,
        'Channels 0',
      ],
    },
    { as: 'pine', name: 'the latest jobs', path: analytics('?tab=activity'), figures: summary },
    {
      as: 'pine',
      name: 'the analytics of messages to people',
      path: analytics(`?tab=deliveries&from=${today().subtract({ days: 6 }).toString()}&to=${today().toString()}`),
      figures: [
        ...summary,
        `Sent ${sent}`,
        `Failed ${messages.length - sent}`,
        `People reached ${reachedInRun}`,
        `of ${inRun}, each once in a run`,
        'Half accepted within 0.0s',
        '95% accepted within 1.0s',
        '99% accepted within 1.0s',
        ...byChannel.flatMap((one) => [`${one.sent} sent`, `${one.failed} failed`]),
        ...byChannel.map((one) => `${dayText(seededOn)} ${one.channel} ${one.sent} ${one.failed}`),
        `Email ${lacking}`,
        `Email ${messages.length - sent - lacking}`,
        ...times(lacking, '1 missed'),
      ],
    },
    {
      as: 'pine',
      path: `/admin/workspace/${ids.pine}/manage?tab=keys`,
      figures: [],
    },
    { as: 'pine', path: `/admin/workspace/${ids.pine}/manage?tab=webhooks`, figures: [] },
    {
      as: 'pine',
      path: `/admin/workspace/${ids.pine}/manage?tab=members`,
      figures: ['Nobody is invited. An invitation goes to an address, and works for 7 days.'],
    },
    {
      as: 'pine',
      path: `/admin/workspace/${ids.pine}/manage?tab=settings`,
      figures: [
        'At once nothing of it is sent any more. For 7 days an owner can restore it, then its data is deleted for good.',
        'Automatically archive completed jobs after 30 days',
      ],
    },
    { as: 'pine', path: `/admin/workspace/${ids.pine}/manage?tab=billing`, figures: [] },
    { as: 'pine', path: '/profile', figures: [] },
    { as: 'pine', path: `/admin/workspace/${ids.pine}/manage?tab=reports`, figures: [] },
    ...(['logs', 'support', 'demo-requests', 'system', 'settings'] as const).map((tab) => ({
      as: 'ann' as const,
      path: `/admin?tab=${tab}`,
      figures: [...consoleCards(), ...(consoleTabs[tab]?.() ?? [])],
    })),
  ];
}

const stateWordOf = (status: string) => status.replace(/^./, (letter) => letter.toUpperCase());

/** What the seed of the other workspaces has, in the console: three of them count. */
const ran = counted((job) => !isTest(job) && ['completed', 'failed'].includes(job.status));
const outcomesOf = (...wanted: string[]) => outcomes.filter((outcome) => wanted.includes(outcome)).length;

/** The messages of the installation, as the engine counts them when it sends. */
const [good, bad] = [
  3 * ran * outcomesOf('accepted', 'delivered') + sent,
  3 * ran * outcomesOf('failed') + messages.length - sent,
];

function consoleCards(): string[] {
  const isToday = seededOn.equals(today());
  return [
    'Total Users 4',
    "2 visitors' demos left out",
    'Total Workspaces 4',
    `Deliveries Today ${isToday ? good : 0}`,
    `${isToday ? bad : 0} failed, by UTC`,
    `Success Rate ${percent(good, good + bad)}`,
    `${good} of ${good + bad} messages sent in 7 days`,
  ];
}

/** The runs of the newest workspaces, tests too. */
const latestRuns = () =>
  Array.from({ length: 3 }, () =>
    jobs
      .flatMap(({ status, times: count }) =>
        ['completed', 'failed'].includes(status) ? times(count, `${stateWordOf(status)} 0.2s`) : [],
      )
      .toReversed(),
  )
    .flat()
    .slice(0, 19)
    .concat('Partly sent 2.0s');

const consoleTabs: Record<string, () => string[]> = {
  logs: latestRuns,
  support: () => [],
  'demo-requests': () => [],
  settings: () => [`1.2 MB · ${sampleBackup}`],
  system: () => [
    'Queue 0',
    'due jobs; 0 running',
    ...times(2, '0 first attempts'),
    '0 sent and 0 failed in the last hour',
  ],
};

describe('every figure of people is what was seeded', () => {
  let cuebird: TestCuebird;
  let ids: Ids;
  let open: (as: Who, width: number) => Promise<Lease>;
  const leases = new Map<string, Lease>();

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    await cuebird.stopDeliveries();
    const seeded = await seedInstallation(cuebird);
    seededOn = Temporal.Instant.from(seeded.at).toZonedDateTimeISO('UTC').toPlainDate();
    ids = await furnishPine(cuebird, seeded);
    await cuebird.owner.query(
      "insert into delivery_days (day, channel, outcome, count) values ($1, 'email', 'accepted', $2), ($1, 'email', 'failed', $3)",
      [seededOn.toString(), good, bad],
    );
    await insertBackup(cuebird.dataDir, { text: 'x'.repeat(1_234_567) });
    const people = { elm: seeded.dana, pine: seeded.dana, ann: seeded.ann };
    open = async (as, width) => {
      const known = leases.get(`${as} ${width}`);
      if (known !== undefined) return known;
      const lease = await openOwnPage({ baseURL: cuebird.url, timezoneId: 'UTC', viewport: { width, height: 900 } });
      await lease.page.context().addCookies(cookiesOf(people[as], cuebird.url));
      await lease.addInitScript(
        (id) => localStorage.setItem('cuebird.workspace', id),
        as === 'pine' ? ids.pine : seeded.elm,
      );
      leases.set(`${as} ${width}`, lease);
      return lease;
    };
  });
  afterAll(async () => {
    for (const lease of leases.values()) await lease.giveBack();
    await cuebird.stop();
  });

  const screens = [
    ...screensOf({
      pine: '',
      daily: '',
      signedUp: '',
      job: '',
      twice: '',
      bea: '',
      events: 'EVENTS',
      sms: '',
    }).entries(),
  ];

  for (const [at, { path, name = path, as }] of screens)
    it(`${name} of ${as}`, async () => {
      const { page } = await open(as, 1440);
      await expectFigures(page, () => screensOf(ids)[at] ?? { path: '', figures: [] });
    });

  // A narrow window shows cards in place of the table of reminders, and what is measured in other rows.
  const narrow = screens.filter(([, { path, isWide }]) => !isWide && !/view=table|tab=system|edit|job=/.test(path));
  for (const [at, { path, name = path, as }] of sample.draw(narrow, { name: 'narrow figures', count: 5 }))
    it(`${name} of ${as} has the same numbers on a phone`, async () => {
      const { page } = await open(as, 390);
      await expectFigures(page, () => screensOf(ids)[at] ?? { path: '', figures: [] }, { isNarrow: true });
    });
});
