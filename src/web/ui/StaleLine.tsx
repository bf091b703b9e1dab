import { InstantText } from './InstantText.tsx';
import { messageOf } from './message-of.ts';
import classes from './panel.module.css';

type StaleLineProps = {
  of: { data: unknown; error: unknown; dataUpdatedAt: number };
  /** The failed action: 'Error loading users'. */
  failed: string;
};

/** Above what is shown while it cannot be read again: why, and of when it is. It stays until it is up to date. */
export const StaleLine = ({ of: { data, error, dataUpdatedAt }, failed }: StaleLineProps) =>
  data === undefined || error === null ? null : (
    <p className={classes.stale} role="status">
      {failed}: {messageOf(error)} What you see is from{' '}
      <InstantText at={new Date(dataUpdatedAt).toISOString()} show="second" />.
    </p>
  );
