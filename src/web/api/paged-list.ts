import type { Change } from '#contract/realtime.ts';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
} from '@tanstack/react-query';

/** A page of a list as the API returns it; `next_cursor` is null on the last one. */
export type PageOf<Row> = { data: Row[]; next_cursor: string | null };

export type PagedList<Row> = {
  queryKey: readonly unknown[];
  /** Reads the page at a cursor. The first page has an empty cursor, which is not sent. */
  read: (page: { cursor: string; signal: AbortSignal }) => Promise<PageOf<Row>>;
  /** The tables whose changes refetch the list. */
  watches?: readonly Change['table'][];
  /** Whether the previous key's rows stay until the new rows are loaded. */
  keepsRows?: boolean;
  refetchInterval?: number | false | ((query: { state: { error: Error | null } }) => number | false);
};

/** A paged list; `data` is one flat list of the pages loaded so far. */
export const usePagedList = <Row>(list: PagedList<Row>) =>
  useInfiniteQuery({
    ...pagesOf(list),
    select: rowsOf<Row>,
    ...(list.keepsRows === true && { placeholderData: keepPreviousData }),
    ...(list.refetchInterval !== undefined && { refetchInterval: list.refetchInterval }),
  });

/** Reads the first page of a list before a screen asks for it. */
export const prefetchPages = <Row>(queryClient: QueryClient, list: PagedList<Row>): Promise<void> =>
  queryClient.prefetchInfiniteQuery(pagesOf(list));

const pagesOf = <Row>({ queryKey, read, watches }: PagedList<Row>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: cursor, signal }) => read({ cursor, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: PageOf<Row>) => next_cursor,
    ...(watches && { meta: { watches } }),
  });

export const rowsOf = <Row>({ pages }: InfiniteData<PageOf<Row>>): Row[] => pages.flatMap(({ data }) => data);
