import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { Suppression } from '#contract/suppressions.ts';
import { useNarrowSuppression } from '#web/api/suppressions.ts';
import { act } from '#web/ui/act.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import prose from '#web/ui/prose.module.css';
import { useSubmit } from '#web/ui/use-submit.ts';
import { type Covers, CoversField } from './CoversField.tsx';
import { messagesOf } from './suppression-words.ts';

type NarrowSuppressionDialogProps = { suppression: Suppression; opened: boolean; onClose: () => void };

/** Has an entry for everything cover less, so that required messages are sent again. */
export function NarrowSuppressionDialog({ suppression, opened, onClose }: NarrowSuppressionDialogProps) {
  const { id, recipient, channel, reason } = suppression;
  const [covers, setCovers] = useState<Covers>({ covers: 'optional' });
  const { mutateAsync, isPending } = useNarrowSuppression();
  const by = channelLooks[channel].name;
  const submit = useSubmit(async () => {
    const narrowed = covers.covers === 'topic' ? covers : { covers: 'optional' as const };
    const isDone = await act(mutateAsync({ id, ...narrowed }), {
      done: (saved) => ['Narrowed', `${recipient} gets no more ${messagesOf(saved)} by ${by}.`],
      failed: 'Error narrowing the entry',
    });
    if (isDone) onClose();
  });
  return (
    <Dialog title="Send some messages again?" opened={opened} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Stack gap={16}>
          <p className={prose.plain}>
            <strong>{recipient}</strong> gets nothing by {by}, not even what you have to send. From now on, only what
            you choose here is not sent.{' '}
            {reason === 'unsubscribed' && 'They unsubscribed themselves: send again only what they have to get. '}
            The audit log records who did this.
          </p>
          <CoversField value={covers} hasEverything={false} onChange={setCovers} />
          <FormButtons onCancel={onClose} isBusy={isPending}>
            Narrow the entry
          </FormButtons>
        </Stack>
      </form>
    </Dialog>
  );
}
