import { lazy, Suspense, useEffect, useState } from 'react';
import { reauthenticateWith } from '#web/api/client.ts';

const ReauthenticationDialog = lazy(() => import('./ReauthenticationDialog.tsx'));

type Asked = { answer: Promise<boolean>; resolve: (isReauthenticated: boolean) => void };

/** Asks who it is when a request was refused for that; several requests wait for one answer. */
export function Reauthentication() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    let current: Asked | null = null;
    reauthenticateWith(() => {
      if (current !== null) return current.answer;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      current = {
        answer: promise,
        resolve(isReauthenticated) {
          current = null;
          setAsked(null);
          resolve(isReauthenticated);
        },
      };
      setAsked(current);
      return promise;
    });
  }, []);
  return <Suspense>{asked && <ReauthenticationDialog onAnswer={asked.resolve} />}</Suspense>;
}
