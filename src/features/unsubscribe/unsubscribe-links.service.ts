import type { UnsubscribeLinks } from '#delivery/adapter.ts';
import type { LinkTarget, UnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';

/** The path of the page of a link. */
export const pagePath = (token: string): string => `/unsubscribe/${token}`;

/** @param options.url Where this installation is reached; asked with each message. */
export const createUnsubscribeLinks =
  ({ tokens, url }: { tokens: UnsubscribeTokens; url: () => string }) =>
  (target: LinkTarget): UnsubscribeLinks => {
    const token = tokens.seal(target);
    const base = url().replace(/\/$/, '');
    return { page: base + pagePath(token), oneClick: `${base}/api/unsubscribe/${token}` };
  };
