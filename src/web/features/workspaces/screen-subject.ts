import { useMatches } from '@tanstack/react-router';

/**
 * What the open screen is about. Only the last of these closes with the current workspace. Read from what is rendered: the location is ahead
 * of it while a screen loads.
 */
export const useScreenSubject = (): 'account' | 'installation' | 'workspace of the address' | 'current workspace' =>
  useMatches({
    select: (matches) => {
      const pathname = matches.at(-1)?.pathname ?? '/';
      if (/^\/(profile|settings)\/?$/.test(pathname)) return 'account';
      if (/^\/(admin|api-docs)\/?$/.test(pathname)) return 'installation';
      return pathname.startsWith('/admin/workspace/') ? 'workspace of the address' : 'current workspace';
    },
  });
