import { useEffect, useState } from 'react';

const lookMs = 15_000;

/** The viewer's date, which changes at midnight while a screen is open: what is asked for by days is then asked anew. */
export function useToday(): string {
  const [today, setToday] = useState(dateNow);
  useEffect(() => {
    const timer = setInterval(() => setToday(dateNow()), lookMs);
    return () => clearInterval(timer);
  }, []);
  return today;
}

const dateNow = () => new Date().toDateString();
