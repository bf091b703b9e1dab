import { redirect } from '@tanstack/react-router';

/** Redirects the terminal's link, `/inbox?token=…`, to the account mail, which needs no session. */
export function leadToAccountMail({ pathname, searchStr }: { pathname: string; searchStr: string }): void {
  const token = tokenIn(searchStr);
  if (token && /^\/inbox\/?$/.test(pathname)) {
    throw redirect({ href: `/inbox/account?${new URLSearchParams({ token })}`, replace: true });
  }
}

/** The token as an exact string: the router would parse some tokens as numbers. */
export const tokenIn = (searchStr: string): string => new URLSearchParams(searchStr).get('token') ?? '';
