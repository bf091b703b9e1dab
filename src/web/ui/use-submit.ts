import { type FormEvent, useRef } from 'react';

/**
 * The handler of a form's submit event. It ignores further events until the first has been handled, so that a double click or a second Enter creates
 * nothing twice.
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
