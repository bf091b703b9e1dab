import { redirect } from '@tanstack/react-router';

/** The link of the terminal, `/inbox?token=…`, leads to the account mail, which needs no session, and not to a workspace's inbox. */
export function leadToAccountMail({ pathname, searchStr }: { pathname: string; searchStr: string }): void {
  const token = tokenIn(searchStr);
  if (token && /^\/inbox\/?$/.test(pathname)) {
    throw redirect({ href: `/inbox/account?${new URLSearchParams({ token })}`, replace: true });
  }
}

/** The token of an address, letter by letter: the router would read some as a number. */
export const tokenIn = (searchStr: string): string => new URLSearchParams(searchStr).get('token') ?? '';
