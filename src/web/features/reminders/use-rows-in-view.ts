import { type RefObject, useEffect, useState } from 'react';

/** The number of rows rendered beyond the window's edges; the range moves in steps of this size. */
const margin = 20;

/**
 * The range of a long list's rows that are in the window, plus a margin; only these are rendered.
 * @param of.height of a row, in px
 */
export function useRowsInView(
  list: RefObject<HTMLElement | null>,
  { count, height }: { count: number; height: number },
): { from: number; to: number } {
  const [range, setRange] = useState({ from: 0, to: 3 * margin });
  useEffect(() => {
    const look = () => {
      const top = list.current?.getBoundingClientRect().top;
      if (top === undefined) return;
      const first = Math.floor(-top / height / margin) * margin - margin;
      const last = Math.ceil((window.innerHeight - top) / height / margin) * margin + margin;
      const from = Math.max(0, first);
      const to = Math.max(from, last);
      setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [list, height]);
  const to = Math.min(count, range.to);
  return { from: Math.min(range.from, to), to };
}
