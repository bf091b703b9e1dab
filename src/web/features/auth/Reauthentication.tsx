import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { reauthenticateWith } from '#web/api/client.ts';

const ReauthenticationDialog = lazy(() => import('./ReauthenticationDialog.tsx'));

/** Asks the person who they are when a request requires that; several requests wait for one answer. */
export function Reauthentication() {
  const waiting = useRef<((isReauthenticated: boolean) => void)[]>([]);
  const [isAsked, setIsAsked] = useState(false);
  useEffect(
    () =>
      reauthenticateWith(() => {
        setIsAsked(true);
        return new Promise((resolve) => waiting.current.push(resolve));
      }),
    [],
  );

  function answer(isReauthenticated: boolean) {
    setIsAsked(false);
    for (const resolve of waiting.current.splice(0)) resolve(isReauthenticated);
  }

  return <Suspense>{isAsked && <ReauthenticationDialog onAnswer={answer} />}</Suspense>;
}
