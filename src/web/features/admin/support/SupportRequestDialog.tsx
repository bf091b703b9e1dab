import { Button, Checkbox, Group, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { supportCategoryNames, supportLimits, type WholeSupportRequest } from '#contract/support.ts';
import { useActOnSupportRequest, useSupportRequest } from '#web/api/support.ts';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import classes from './support.module.css';

type DialogProps = { id: string; onClose: () => void };

/** One request: what was asked and answered, and the answer that is being written. */
export function SupportRequestDialog({ id, onClose }: DialogProps) {
  const found = useSupportRequest(id);
  const [answer, setAnswer] = useState('');
  return (
    <FormDialog
      title={found.data?.subject ?? 'Support request'}
      opened
      width={640}
      isDirty={() => answer.trim() !== ''}
      onClose={onClose}
    >
      {(leave) => (
        <Loaded of={found} failed="Error loading the support request">
          {(request) => <Request request={request} {...{ answer, setAnswer, leave, onClose }} />}
        </Loaded>
      )}
    </FormDialog>
  );
}

type RequestProps = {
  request: WholeSupportRequest;
  answer: string;
  setAnswer: (text: string) => void;
  leave: () => void;
  onClose: () => void;
};

function Request({ request, answer, setAnswer, leave, onClose }: RequestProps) {
  const act = useActOnSupportRequest(request.id);
  const [closes, setCloses] = useState(true);
  const isClosed = request.closed_at !== null;
  const submit = useSubmit(async () => {
    await act
      .mutateAsync({ to: 'answer', message: answer, closes })
      .then(() => {
        notifySuccess('Answer sent', `Mailed to ${request.email}.`);
        setAnswer('');
        if (closes) onClose();
      })
      .catch((error: unknown) => notifyFailure('Error sending the answer', error));
  });
  const setClosed = () =>
    act.mutate(
      { to: isClosed ? 'reopen' : 'close' },
      {
        onSuccess: () => notifySuccess(isClosed ? 'Request opened again' : 'Request closed'),
        onError: (error) => notifyFailure('Error updating the request', error),
      },
    );
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <div className={classes.said}>
          <p className={classes.who}>
            {request.email}, {supportCategoryNames[request.category]}, <InstantText at={request.created_at} />
          </p>
          <p className={classes.text}>{request.message}</p>
        </div>
        {request.answers.map(({ id, author, message, created_at: at }) => (
          <div key={id} className={classes.said} data-answer>
            <p className={classes.who}>
              Answered by {author}, <InstantText at={at} />
            </p>
            <p className={classes.text}>{message}</p>
          </div>
        ))}
        {!isClosed && (
          <>
            <Textarea
              label="Answer"
              description={`Mailed to ${request.email}, with what was asked below it.`}
              autosize
              minRows={4}
              maxRows={12}
              maxLength={supportLimits.answer}
              value={answer}
              onChange={(event) => setAnswer(event.currentTarget.value)}
            />
            <Checkbox
              label="Close the request"
              checked={closes}
              onChange={(event) => setCloses(event.currentTarget.checked)}
            />
          </>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={leave}>
            Cancel
          </Button>
          <Button variant="default" loading={act.isPending && act.variables.to !== 'answer'} onClick={setClosed}>
            {isClosed ? 'Open again' : 'Close without an answer'}
          </Button>
          {!isClosed && (
            <Button
              type="submit"
              disabled={answer.trim() === ''}
              loading={act.isPending && act.variables.to === 'answer'}
            >
              Send answer
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
