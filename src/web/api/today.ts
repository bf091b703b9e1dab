import { useEffect, useState } from 'react';

const lookMs = 15_000;

/** The viewer's date as state. It changes at midnight, which refetches the queries that depend on it. */
export function useToday(): string {
  const [today, setToday] = useState(dateNow);
  useEffect(() => {
    const timer = setInterval(() => setToday(dateNow()), lookMs);
    return () => clearInterval(timer);
  }, []);
  return today;
}

/** The viewer's date. */
export const dateNow = () => new Date().toDateString();
