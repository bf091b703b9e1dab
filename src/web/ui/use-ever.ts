import { useState } from 'react';

/** True from the first time on that `value` was: what loads lazily when opened then stays, to close with grace. */
export function useEver(value: boolean): boolean {
  const [ever, setEver] = useState(value);
  if (value && !ever) setEver(true);
  return ever || value;
}
