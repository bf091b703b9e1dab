import { lazy, Suspense, useEffect, useState } from 'react';
import { confirmWith } from '#web/api/client.ts';

const ConfirmationDialog = lazy(() => import('./ConfirmationDialog.tsx'));

type Asked = { answer: Promise<boolean>; resolve: (isConfirmed: boolean) => void };

/** Asks who it is when a request was refused for that; several requests wait for one answer. */
export function Confirmation() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    let current: Asked | null = null;
    confirmWith(() => {
      if (current !== null) return current.answer;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      current = {
        answer: promise,
        resolve(isConfirmed) {
          current = null;
          setAsked(null);
          resolve(isConfirmed);
        },
      };
      setAsked(current);
      return promise;
    });
  }, []);
  return <Suspense>{asked && <ConfirmationDialog onAnswer={asked.resolve} />}</Suspense>;
}
