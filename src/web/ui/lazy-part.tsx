import { Button, Text } from '@mantine/core';
import { type ComponentType, lazy, useState } from 'react';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/**
 * A part that loads when it is first shown. Where its file cannot be had, such as offline, that is said in its place, and what is typed
 * around it stays.
 */
export const lazyPart = <Props extends object>(load: Load<Props>) =>
  lazy(() => load().catch(() => ({ default: loadedLater(load) })));

function loadedLater<Props extends object>(load: Load<Props>): ComponentType<Props> {
  return function LoadedLater(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(null);
    const tryAgain = () =>
      void load().then(
        ({ default: found }) => setPart(() => found),
        // Browsers remember that a file could not be had, until the page is loaded anew. Its form keeps a draft.
        () => navigator.onLine && window.location.reload(),
      );
    if (Part !== null) return <Part {...props} />;
    return (
      <Text size="sm" c="dimmed" role="alert">
        This part could not be loaded.{' '}
        <Button variant="subtle" size="compact-sm" onClick={tryAgain}>
          Try again
        </Button>
      </Text>
    );
  };
}
