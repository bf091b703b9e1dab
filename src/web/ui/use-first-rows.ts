import { startTransition, useEffect, useState } from 'react';

/** The rows that a screen shows without scrolling, and all of them once these are painted: a long list takes a while to build. */
export function useFirstRows<Row>(rows: readonly Row[], atFirst = 10): readonly Row[] {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => startTransition(() => setPainted(true)), []);
  return isPainted ? rows : rows.slice(0, atFirst);
}
