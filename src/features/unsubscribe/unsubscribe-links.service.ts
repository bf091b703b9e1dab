import type { UnsubscribeLinks } from '#delivery/adapter.ts';
import type { LinkTarget, UnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';

/** The path of the page that asks people whether to unsubscribe. */
export const unsubscribePage = (token: string): string => `/unsubscribe/${token}`;

/** @param options.url Where this installation is reached; asked with each message. */
export const createUnsubscribeLinks =
  ({ tokens, url }: { tokens: UnsubscribeTokens; url: () => string }) =>
  (target: LinkTarget): UnsubscribeLinks => {
    const token = tokens.seal(target);
    const base = url().replace(/\/$/, '');
    return { page: base + unsubscribePage(token), oneClick: `${base}/api/unsubscribe/${token}` };
  };
