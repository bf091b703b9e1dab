import { startTransition, useEffect, useState } from 'react';

/** The rows that fit on a screen, and after the first paint all of them: building a long list takes time. */
export function useFirstRows<Row>(rows: readonly Row[], atFirst = 10): readonly Row[] {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => startTransition(() => setPainted(true)), []);
  return isPainted ? rows : rows.slice(0, atFirst);
}
