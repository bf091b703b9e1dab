import { type FormEvent, useRef } from 'react';

/**
 * The handler of a form's submit event. Until what it began has ended it does nothing: a double click, or Enter pressed
 * twice, creates one thing.
 */
export function useSubmit(submit: () => Promise<void>): (event: FormEvent) => void {
  const isSubmitting = useRef(false);
  const submitOnce = async () => {
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    try {
      await submit();
    } finally {
      isSubmitting.current = false;
    }
  };
  return (event) => {
    event.preventDefault();
    void submitOnce();
  };
}
