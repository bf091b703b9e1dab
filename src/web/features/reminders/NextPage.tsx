import { useEffect, useRef } from 'react';
import { LoadMore } from '#web/ui/LoadMore.tsx';

type NextPageProps = {
  of: { hasNextPage: boolean; isFetching: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  shown: number;
};

/** The foot of the list: the next page loads when the user scrolls near it, or by a button. */
export function NextPage({ of, shown }: NextPageProps) {
  const foot = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetching, fetchNextPage } = of;
  useEffect(() => {
    // The observer is recreated after every fetch: a refetch of the list may have cancelled the fetch of the page.
    if (!hasNextPage || isFetching || foot.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        // Without scrolling no page is loaded: the first page may be shorter than the window.
        if (entries.at(-1)?.isIntersecting && window.scrollY > 0) void fetchNextPage();
      },
      { rootMargin: '800px' },
    );
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return (
    <div ref={foot}>
      <LoadMore of={of}>{hasNextPage || shown > 24 ? `${shown.toLocaleString('en')} shown` : null}</LoadMore>
    </div>
  );
}
