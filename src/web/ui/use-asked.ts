import { useEffect, useRef } from 'react';

/** Carries out, once, what the URL asks of a screen: a command of the palette opens a dialog of another screen. */
export function useAsked<Asked>(asked: Asked | undefined, carryOut: (asked: Asked) => void): void {
  const latest = useRef(carryOut);
  useEffect(() => {
    latest.current = carryOut;
  });
  useEffect(() => {
    if (asked !== undefined) latest.current(asked);
  }, [asked]);
}
