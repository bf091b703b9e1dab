import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { IconBell, IconBuilding, IconClockPlay, IconHistory, IconTemplate, IconUser } from '@tabler/icons-react';
import { contactRoutes } from '#contract/contacts.ts';
import { jobRoutes } from '#contract/jobs.ts';
import { reminderRoutes } from '#contract/reminders.ts';
import { templateRoutes } from '#contract/templates.ts';
import { parseRecipient } from '#domain/recipients.ts';
import { call } from '#web/api/client.ts';
import { rememberWorkspace, useWorkspaceId } from '#web/api/current-workspace.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { momentText } from '#web/ui/InstantText.tsx';
import { jobWord } from '#web/ui/JobBadge.tsx';
import { notifySuccess } from '#web/ui/notify.tsx';
import { fits, type Offer, useCommandOffers } from './palette-commands.tsx';
import { docsOffers, useScreenOffers } from './palette-screens.tsx';
import { keyOf } from '#web/api/query-key.ts';

type Asked = {
  /** The typed text. */
  query: string;
  /** The debounced text, which is sent to the server. */
  asked: string;
  isOpen: boolean;
  onHelp: () => void;
};

const listed = 5;
const worthAsking = 2;

/**
 * The palette's options for the typed text: screens and actions at once, people, reminders, templates and jobs as the server finds
 * them.
 */
export function useOffers(of: Asked) {
  const found = useFound(of);
  const screens = useScreenOffers(of.query);
  const commands = useCommandOffers(of);
  const groups = [
    { label: 'Reminders', offers: useReminderOffers(found.data?.reminders) },
    { label: 'Contacts', offers: useContactOffers(found.data?.contacts) },
    { label: 'Recipients', offers: useRecipientOffers(of.query, found.data?.contacts) },
    { label: 'Templates', offers: useTemplateOffers(found.data?.templates) },
    { label: 'Jobs', offers: useJobOffers(found.data?.jobs) },
    { label: 'Go to', offers: screens.offers },
    { label: 'Do', offers: commands.offers },
    { label: 'Workspaces', offers: fits(of.query, useWorkspaceOffers()) },
    { label: 'Documentation', offers: docsOffers(of.query) },
  ].filter(({ offers }) => offers.length > 0);
  // What is called like that comes first, so that answers of the server do not take its place below the finger on Enter.
  const isNamed = ({ label, offers }: (typeof groups)[number]) =>
    of.query !== '' && isAtOnce(label) && offers.some((offer) => startsWith(offer, of.query));
  groups.sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
  for (const group of groups)
    if (isNamed(group))
      group.offers = group.offers.toSorted((a, b) => Number(startsWith(b, of.query)) - Number(startsWith(a, of.query)));
  return {
    groups,
    missing: [...commands.missing, ...screens.missing],
    isSearching: found.isFetching || of.query !== of.asked,
    failure: found.error === null || found.isFetching ? null : { error: found.error, searchAgain: found.refetch },
  };
}

/** The groups that need no answer of the server. */
const isAtOnce = (label: string) => ['Go to', 'Do', 'Workspaces', 'Documentation'].includes(label);

const startsWith = ({ label }: Offer, query: string) => label.toLowerCase().startsWith(query.toLowerCase());

function useFound({ asked, isOpen }: Asked) {
  const workspaceId = useWorkspaceId();
  const isAsked = isOpen && asked.length >= worthAsking;
  const found = useQuery({
    queryKey: keyOf(workspaceId, 'palette', 'list', asked),
    queryFn: async ({ signal }) => {
      const query = { search: asked, limit: listed, view: 'summary' } as const;
      const [reminders, contacts, templates, jobs] = await Promise.all([
        call(reminderRoutes.listReminders, { query, signal }),
        call(contactRoutes.listContacts, { query: { search: asked, limit: listed }, signal }),
        call(templateRoutes.listTemplates, { query: { search: asked, limit: listed }, signal }),
        call(jobRoutes.listJobs, { query, signal }),
      ]);
      return { reminders: reminders.data, contacts: contacts.data, templates: templates.data, jobs: jobs.data };
    },
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  return isAsked ? found : { data: undefined, isFetching: false, error: null, refetch: found.refetch };
}

type Found = NonNullable<ReturnType<typeof useFound>['data']>;

function useReminderOffers(reminders: Found['reminders'] = []): Offer[] {
  const navigate = useNavigate();
  return reminders.map(({ id, name, description }) => ({
    id: `reminder ${id}`,
    label: name,
    note: description ?? undefined,
    icon: IconBell,
    run: () => void navigate({ to: '/reminders/$id', params: { id } }),
  }));
}

function useContactOffers(contacts: Found['contacts'] = []): Offer[] {
  const navigate = useNavigate();
  return contacts.map(({ id, name, email, phone }) => ({
    id: `contact ${id}`,
    label: name ?? email ?? phone ?? '',
    note: name === null ? undefined : [email, phone].filter(Boolean).join(', '),
    icon: IconUser,
    run: () => void navigate({ to: '/contacts/$id', params: { id } }),
  }));
}

function useJobOffers(jobs: Found['jobs'] = []): Offer[] {
  const navigate = useNavigate();
  return jobs.map(({ id, name, scheduled_for: at, ...run }) => ({
    id: `job ${id}`,
    label: name,
    note: `${jobWord(run)}, ${momentText(at, viewerZone())}`,
    icon: IconClockPlay,
    run: () => void navigate({ to: '/jobs', search: { job: id } }),
  }));
}

function useTemplateOffers(templates: Found['templates'] = []): Offer[] {
  const navigate = useNavigate();
  return templates.map(({ id, name, description }) => ({
    id: `template ${id}`,
    label: name,
    note: description ?? undefined,
    icon: IconTemplate,
    run: () => void navigate({ to: '/templates', search: { template: id } }),
  }));
}

/** Offers a search for what was sent to an address or number; for a contact its page shows that. */
function useRecipientOffers(query: string, contacts: Found['contacts'] = []): Offer[] {
  const navigate = useNavigate();
  const { kind } = parseRecipient(query);
  if (contacts.length > 0 || (kind !== 'email' && kind !== 'phone')) return [];
  const search = { search: query };
  return [
    {
      id: 'sent to',
      label: `What went to ${query}`,
      icon: IconHistory,
      run: () => void navigate({ to: '/jobs', search: { ...search, tab: 'history' } }),
    },
    {
      id: 'goes to',
      label: `Jobs for ${query}`,
      icon: IconClockPlay,
      run: () => void navigate({ to: '/jobs', search }),
    },
  ];
}

function useWorkspaceOffers(): Offer[] {
  const { workspace, workspaces } = useWorkspace();
  return workspaces
    .filter(({ id }) => id !== workspace.id)
    .map(({ id, name }) => ({
      id: `workspace ${id}`,
      label: name,
      note: 'Switch to this workspace',
      icon: IconBuilding,
      run: () => {
        rememberWorkspace(id);
        notifySuccess('Workspace switched', `Now working in ${name}`, { about: 'workspace' });
      },
    }));
}
