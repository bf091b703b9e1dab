import { useLocation } from '@tanstack/react-router';

/** What the open screen is about. Only the last of these closes with the current workspace. */
export const useScreenSubject = (): 'account' | 'installation' | 'workspace of the address' | 'current workspace' =>
  useLocation({
    select: ({ pathname }) => {
      if (/^\/(profile|settings)\/?$/.test(pathname)) return 'account';
      if (/^\/(admin|api-docs)\/?$/.test(pathname)) return 'installation';
      return pathname.startsWith('/admin/workspace/') ? 'workspace of the address' : 'current workspace';
    },
  });
