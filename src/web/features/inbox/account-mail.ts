import { redirect } from '@tanstack/react-router';
import { tokenIn } from '#web/ui/link-token.ts';

/** Redirects the terminal's link, `/inbox?token=…`, to the account mail, which needs no session. */
export function leadToAccountMail({ pathname, searchStr }: { pathname: string; searchStr: string }): void {
  const token = tokenIn(searchStr);
  if (token && /^\/inbox\/?$/.test(pathname)) {
    throw redirect({ href: `/inbox/account?${new URLSearchParams({ token })}`, replace: true });
  }
}
