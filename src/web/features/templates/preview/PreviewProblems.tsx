import { IconAlertTriangle } from '@tabler/icons-react';
import type { Preview } from '#contract/template-previews.ts';
import classes from './PreviewDialog.module.css';

/** The problems that would prevent a message. */
export function PreviewProblems({ preview: { missing, problems } }: { preview: Preview }) {
  if (missing.length === 0 && problems.length === 0) return null;
  return (
    <div className={classes.problems} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <div>
        {missing.length > 0 && (
          <p>
            Without a value: <code>{missing.join(', ')}</code>. A message is not sent while a value is missing.
          </p>
        )}
        {problems.map(({ part, message }) => (
          <p key={part}>
            The {part === 'body' ? 'message' : 'subject'} cannot be filled in: {message}
          </p>
        ))}
      </div>
    </div>
  );
}
