import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ContactDetails } from '#contract/contact-details.ts';
import type { Suppression } from '#contract/suppressions.ts';
import { RemoveSuppressionDialog } from '#web/features/suppressions/RemoveSuppressionDialog.tsx';
import { reasonLooks } from '#web/features/suppressions/suppression-words.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import classes from '#web/ui/record.module.css';

/** To which of its addresses nothing is sent, since when and why. */
export function DoNotContact({ contact: { suppressions } }: { contact: ContactDetails }) {
  const mayRemove = useWorkspace().workspace.role !== 'member';
  const [asked, setAsked] = useState<Suppression | null>(null);
  const [isOpen, setOpen] = useState(false);
  const ask = (suppression: Suppression) => {
    setAsked(suppression);
    setOpen(true);
  };
  return (
    <>
      {suppressions.length > 0 && (
        <ul className={classes.warnings} aria-label="Do not contact">
          {suppressions.map((suppression) => (
            <li key={suppression.id}>
              <span>
                <strong>
                  Nothing is sent to {suppression.recipient} by {channelLooks[suppression.channel].name}
                </strong>{' '}
                since <InstantText at={suppression.created_at} show="day" />. {whyOf(suppression)}
              </span>
              {mayRemove && (
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => ask(suppression)}
                  aria-label={`Remove ${suppression.recipient} (${suppression.channel})`}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {asked && <RemoveSuppressionDialog suppression={asked} opened={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}

const whyOf = ({ reason, created_by_name: by }: Suppression): string =>
  reason === 'manual' && by !== null ? `Added by ${by}.` : reasonLooks[reason].sentence;
