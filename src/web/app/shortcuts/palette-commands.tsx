import { useNavigate } from '@tanstack/react-router';
import {
  IconBellOff,
  IconDownload,
  IconFilePlus,
  IconFolders,
  IconHistory,
  IconKeyboard,
  IconPlayerPause,
  IconPlus,
  IconSend,
  IconSettings,
  IconUpload,
  IconUser,
  IconUserPlus,
  IconUsersPlus,
  type IconProps,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Role } from '#contract/workspaces.ts';
import { exportUrl } from '#web/api/contacts.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { jobsFileUrl, runsFileUrl } from '#web/api/jobs.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';

export type Offer = {
  id: string;
  label: string;
  note?: string;
  icon: ComponentType<IconProps>;
  keys?: readonly string[];
  run: () => void;
};

/** Found by the words of its label, and by others that people type for it. */
export type Findable = Offer & { words?: string | undefined };

/** Those that have every word of the query. */
export function fits<One extends Findable>(query: string, offers: One[]): One[] {
  const wanted = query.toLowerCase().split(/\s+/);
  return offers.filter(({ label, words = '' }) => {
    const own = `${label} ${words}`.toLowerCase();
    return wanted.every((word) => own.includes(word));
  });
}

/** What a member does not have: `Owners and admins invite people`. */
export type ForAdmins = Findable & { forAdmins?: string };

/** Those that the role has, and of the others what a member who looks for them is told. */
export function offersFor<One extends ForAdmins>(role: Role, of: { query: string; all: One[] }) {
  const found = fits(of.query, of.all);
  const isMissing = ({ forAdmins }: One) => forAdmins !== undefined && role === 'member';
  const missing = of.query === '' ? [] : found.filter(isMissing);
  return { offers: found.filter((one) => !isMissing(one)), missing: missing.map(({ forAdmins }) => `${forAdmins}.`) };
}

/** What can be done from anywhere: each command opens the dialog that its screen has, or gets its file. */
export function useCommandOffers({ query, onHelp }: { query: string; onHelp: () => void }) {
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const { role } = useWorkspace().workspace;
  const all: ForAdmins[] = [
    {
      id: 'new reminder',
      label: 'New reminder',
      words: 'add create',
      icon: IconPlus,
      keys: ['N'],
      run: () => void navigate({ to: '/reminders/new' }),
    },
    {
      id: 'pause all',
      label: 'Pause all reminders…',
      words: 'stop holiday vacation',
      icon: IconPlayerPause,
      forAdmins: 'Owners and admins pause all reminders',
      run: () => void navigate({ to: '/reminders', search: { pause: 'all' } }),
    },
    {
      id: 'new contact',
      label: 'New contact',
      words: 'add create person',
      icon: IconUserPlus,
      run: () => void navigate({ to: '/contacts', search: { open: 'new' } }),
    },
    {
      id: 'import',
      label: 'Import contacts',
      words: 'upload csv excel file',
      icon: IconUpload,
      run: () => void navigate({ to: '/contacts', search: { open: 'import' } }),
    },
    {
      id: 'imports',
      label: 'Recent imports',
      words: 'undo import history',
      icon: IconHistory,
      run: () => void navigate({ to: '/contacts', search: { open: 'imports' } }),
    },
    {
      id: 'new group',
      label: 'New group',
      words: 'add create contacts audience',
      icon: IconUsersPlus,
      run: () => void navigate({ to: '/contacts', search: { tab: 'groups', open: 'new' } }),
    },
    {
      id: 'suppress',
      label: 'Suppress an address',
      words: 'add suppression list block unsubscribe do not contact',
      icon: IconBellOff,
      run: () => void navigate({ to: '/contacts', search: { tab: 'suppressed', open: 'new' } }),
    },
    {
      id: 'new template',
      label: 'New template',
      words: 'add create text',
      icon: IconFilePlus,
      run: () => void navigate({ to: '/templates', search: { open: 'new' } }),
    },
    {
      id: 'categories',
      label: 'Manage categories of templates',
      icon: IconFolders,
      run: () => void navigate({ to: '/templates', search: { open: 'categories' } }),
    },
    {
      id: 'new channel',
      label: 'New channel',
      words: 'add create provider smtp sms',
      icon: IconSend,
      forAdmins: 'Owners and admins add channels',
      run: () => void navigate({ to: '/channels', search: { open: 'new' } }),
    },
    {
      id: 'invite',
      label: 'Invite people',
      words: 'add member team colleague user invitation',
      icon: IconUserPlus,
      forAdmins: 'Owners and admins invite people',
      run: () =>
        void navigate({
          to: '/admin/workspace/$workspaceId/manage',
          params: { workspaceId },
          search: { tab: 'members', open: 'invite' },
        }),
    },
    {
      id: 'export contacts',
      label: 'Export contacts as CSV',
      words: 'download',
      icon: IconDownload,
      run: () => download(exportUrl(workspaceId)),
    },
    {
      id: 'export jobs',
      label: 'Export jobs as CSV',
      words: 'download',
      icon: IconDownload,
      run: () => download(jobsFileUrl(workspaceId, {})),
    },
    {
      id: 'export runs',
      label: 'Export execution history as CSV',
      words: 'download runs',
      icon: IconDownload,
      run: () => download(runsFileUrl(workspaceId, {})),
    },
    {
      id: 'profile',
      label: 'Your profile',
      words: 'account name picture',
      icon: IconUser,
      run: () => void navigate({ to: '/profile' }),
    },
    {
      id: 'settings',
      label: 'Your settings',
      words: 'account e-mail email password devices sessions',
      icon: IconSettings,
      run: () => void navigate({ to: '/settings' }),
    },
    { id: 'help', label: 'Keyboard shortcuts', words: 'help keys', icon: IconKeyboard, keys: ['?'], run: onHelp },
  ];
  return offersFor(role, { query, all });
}

/** Downloads a file like the link on its screen. */
function download(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}
