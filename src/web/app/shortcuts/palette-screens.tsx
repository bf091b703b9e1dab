import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  IconBook,
  IconBuilding,
  IconCalendar,
  IconChartBar,
  IconCreditCard,
  IconMessage,
  IconHistory,
  IconKey,
  IconMail,
  IconLayersSubtract,
  IconListDetails,
  IconSettings,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import { docsPages, docsPath, tutorials } from '#contract/docs-pages.ts';
import { configQuery } from '#web/api/config.ts';
import { useNavigationLinks } from '#web/app/navigation.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { type Findable, fits, type ForAdmins, type Offer, offersFor } from './palette-commands.tsx';
import { shortcuts } from './shortcut-keys.ts';

/** Words by which the screens of the top bar are found, beside their labels. */
const wordsOf: Partial<Record<string, string>> = {
  '/dashboard': 'home start overview next 24 hours failures',
  '/reminders': 'schedules recurring messages cards',
  '/contacts': 'people recipients residents customers address book tags',
  '/billing': 'plan price upgrade payment invoices subscription trial card',
  '/templates': 'texts gallery snippets',
  '/channels': 'providers smtp mail server twilio whatsapp slack push integrations',
  '/jobs': 'queue runs sent deliveries scheduler log',
  '/inbox': 'sandbox messages',
  '/api-docs': 'rest openapi reference endpoints developers',
  '/admin': 'console workspaces users logs system support installation',
};

/** The screens of the top bar, and for a text that was typed every tab and section behind them. */
export function useScreenOffers(query: string) {
  const navigate = useNavigate();
  const { role } = useWorkspace().workspace;
  const bar = useNavigationLinks().map(({ label, to, icon }) => ({
    id: `screen ${to}`,
    label,
    words: wordsOf[to],
    icon,
    keys: shortcuts.find(({ command }) => command.kind === 'go' && command.to === to)?.keys,
    run: () => void navigate({ to }),
  }));
  // Reached from the dashboard and the list of reminders too: the bar has no room for it.
  const agenda = {
    id: 'screen /agenda',
    label: 'Agenda',
    words: 'upcoming forecast what comes next planned month',
    icon: IconCalendar,
    keys: shortcuts.find(({ command }) => command.kind === 'go' && command.to === '/agenda')?.keys,
    run: () => void navigate({ to: '/agenda' }),
  };
  const screens: ForAdmins[] = [...bar, agenda];
  const behind = [...useWorkspaceScreens(), ...useListScreens(), ...useAccountScreens()];
  return offersFor(role, { query, all: query === '' ? screens : [...screens, ...behind] });
}

/** What is behind Manage Workspace, and the figures. */
function useWorkspaceScreens(): ForAdmins[] {
  const navigate = useNavigate();
  const { workspace } = useWorkspace();
  const hasPlans = useQuery(configQuery).data?.billing !== 'off';
  const of = { workspaceId: workspace.id };
  const manage = '/admin/workspace/$workspaceId/manage';
  const open =
    (tab?: 'members' | 'settings' | 'topics' | 'keys' | 'webhooks' | 'reports' | 'billing' | 'audit', hash?: string) =>
    () =>
      void navigate({ to: manage, params: of, search: { tab }, hash });
  const figures = (tab?: 'performance' | 'jobs' | 'activity' | 'usage' | 'deliveries') => () =>
    void navigate({ to: '/admin/workspace/$workspaceId/analytics', params: of, search: { tab } });
  const forEverybody: Findable[] = [
    { id: 'manage', label: 'Manage workspace', words: 'overview company', icon: IconBuilding, run: open() },
    {
      id: 'members',
      label: 'Members',
      words: 'team people users colleagues roles owner admin remove',
      icon: IconUsers,
      run: open('members'),
    },
    {
      id: 'topics',
      label: 'Topics',
      words: 'unsubscribe consent preferences opt out leave categories required optional default subject of messages',
      icon: IconMessage,
      run: open('topics'),
    },
    {
      id: 'calendar feed',
      label: 'Calendar to subscribe to',
      words: 'ical ics feed google outlook export',
      icon: IconCalendar,
      run: open(undefined, 'calendar'),
    },
    {
      id: 'calendars',
      label: 'Reminders from calendars',
      words: 'ical ics import google outlook sources',
      icon: IconCalendar,
      run: open(undefined, 'reminders-from-calendars'),
    },
    {
      id: 'analytics',
      label: 'Analytics',
      words: 'figures statistics report success rate',
      icon: IconChartBar,
      run: figures(),
    },
    {
      id: 'deliveries',
      label: 'Analytics of deliveries',
      words: 'statistics report who got nothing unreached latency per day',
      icon: IconChartBar,
      run: figures('deliveries'),
    },
    {
      id: 'usage',
      label: 'Usage statistics',
      words: 'analytics figures count',
      icon: IconChartBar,
      run: figures('usage'),
    },
  ];
  const forAdmins: Findable[] = [
    { id: 'invitations', label: 'Invitations', words: 'team', icon: IconUsers, run: open('members', 'invitations') },
    {
      id: 'workspace settings',
      label: 'Workspace settings',
      words: 'name picture logo sender mails retention archive missed misfire',
      icon: IconSettings,
      run: open('settings'),
    },
    {
      id: 'personal data',
      label: 'Erase a person',
      note: 'Workspace settings',
      words: 'erasure personal data gdpr forget delete privacy',
      icon: IconSettings,
      run: open('settings', 'personal-data'),
    },
    ...(workspace.role === 'owner'
      ? [
          {
            id: 'delete workspace',
            label: 'Delete workspace',
            note: 'Workspace settings',
            words: 'remove close company',
            icon: IconSettings,
            run: open('settings', 'delete-workspace'),
          },
        ]
      : []),
    {
      id: 'sending hours',
      label: 'Sending hours',
      words: 'workspace settings quiet night weekend do not disturb',
      icon: IconSettings,
      run: open('settings', 'sending-hours'),
    },
    {
      id: 'keys',
      label: 'API keys',
      words: 'token secret bearer credentials scopes developers',
      icon: IconKey,
      run: open('keys'),
    },
    {
      id: 'webhooks',
      label: 'Webhooks',
      words: 'endpoint url signing secret outgoing events callback developers',
      icon: IconWebhook,
      run: open('webhooks'),
    },
    {
      id: 'reports',
      label: 'Monthly reports',
      words: 'email summary boss statistics subscription mail figures',
      icon: IconMail,
      run: open('reports'),
    },
    ...(hasPlans
      ? [
          {
            id: 'plan',
            label: 'Plan of this workspace',
            words: 'billing usage limits price upgrade payment invoices trial',
            icon: IconCreditCard,
            run: open('billing'),
          },
        ]
      : []),
    {
      id: 'audit',
      label: 'Audit log',
      words: 'history changes who did activity compliance trail',
      icon: IconHistory,
      run: open('audit'),
    },
  ];
  return [
    ...forEverybody,
    ...forAdmins.map((screen) => ({ ...screen, forAdmins: `Owners and admins have “${screen.label}”` })),
  ];
}

/** The tabs of lists. */
function useListScreens(): Findable[] {
  const navigate = useNavigate();
  return [
    {
      id: 'groups',
      label: 'Groups of contacts',
      words: 'audience segments lists',
      icon: IconUsersGroup,
      run: () => void navigate({ to: '/contacts', search: { tab: 'groups' } }),
    },
    {
      id: 'suppressed',
      label: 'Suppression list',
      words: 'suppressed unsubscribed opted out bounced blocked stop do not contact',
      icon: IconListDetails,
      run: () => void navigate({ to: '/contacts', search: { tab: 'suppressed' } }),
    },
    {
      id: 'history',
      label: 'Execution history',
      words: 'jobs runs sent past log',
      icon: IconHistory,
      run: () => void navigate({ to: '/jobs', search: { tab: 'history' } }),
    },
    {
      id: 'events',
      label: 'Events',
      words: 'jobs hooks triggers api received',
      icon: IconLayersSubtract,
      run: () => void navigate({ to: '/jobs', search: { tab: 'events' } }),
    },
  ];
}

/** The sections of the account's settings, by the ids that their titles give them. */
function useAccountScreens(): Findable[] {
  const navigate = useNavigate();
  const sections: [string, string, string][] = [
    ['Email and password', 'account email sign in login change', 'email-and-password'],
    ['Two-factor authentication', '2fa mfa totp security codes recovery', 'two-factor-authentication'],
    ['Signed-in devices', 'sessions browsers sign out', 'signed-in-devices'],
    ['Your notifications', 'mails push alerts browser', 'notifications'],
    ['Your data', 'download gdpr privacy export account', 'your-data'],
    ['Delete account', 'close remove leave', 'delete-account'],
  ];
  return sections.map(([label, words, hash]) => ({
    id: `section ${hash}`,
    label,
    note: 'Your settings',
    words: `settings ${words}`,
    icon: IconSettings,
    run: () => void navigate({ to: '/settings', hash }),
  }));
}

/** Pages that anybody may read. */
const openPages = [
  { path: '/support', label: 'Support', words: 'contact form help ask question request' },
  { path: '/terms', label: 'Terms of Service', words: 'legal conditions' },
  { path: '/privacy', label: 'Privacy Policy', words: 'legal gdpr data protection' },
];

const openPageOffers = openPages.map(({ path, ...page }) => ({
  id: `page ${path}`,
  ...page,
  icon: IconBook,
  run: () => window.location.assign(path),
}));

/** The pages of the documentation and others without an account, by their titles and what they are about. */
export const docsOffers = (query: string): Offer[] =>
  query === ''
    ? []
    : fits(query, [
        ...openPageOffers,
        ...[...docsPages, tutorials].map(({ name, title, description }) => ({
          id: `docs ${name}`,
          label: title,
          note: description,
          words: `${description} docs documentation help guide manual`,
          icon: IconBook,
          run: () => window.location.assign(docsPath(name)),
        })),
      ]);
