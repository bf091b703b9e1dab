import { useState } from 'react';

/** The last value that was there, so that a dialog keeps its words while it fades away. */
export function useLast<Value>(value: Value | null | undefined): Value | null {
  const [last, setLast] = useState<Value | null>(value ?? null);
  if (value !== null && value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
