import { useLocation } from '@tanstack/react-router';

/** The token of a mailed link, `?token=…`, as an exact string: the router would parse some tokens as numbers. */
export const tokenIn = (searchStr: string): string => new URLSearchParams(searchStr).get('token') ?? '';

/** The token in the open address. */
export const useLinkToken = (): string => useLocation({ select: ({ searchStr }) => tokenIn(searchStr) });
