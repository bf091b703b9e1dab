import '@mantine/core/styles/Checkbox.layer.css';
import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Webhook, activityTypes, WebhookInput } from '#contract/webhooks.ts';
import { ApiError } from '#web/api/client.ts';
import { useCreateWebhook, useUpdateWebhook } from '#web/api/webhooks.ts';
import { act } from '#web/ui/act.ts';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { activityWords } from './webhook-words.ts';

type WebhookDialogProps = {
  workspaceId: string;
  /** Null adds one. */
  webhook: Webhook | null;
  opened: boolean;
  onClose: () => void;
};

/** Asks for a URL and the events that are sent to it. */
export function WebhookDialog({ workspaceId, webhook, opened, onClose }: WebhookDialogProps) {
  const create = useCreateWebhook(workspaceId);
  const update = useUpdateWebhook(workspaceId);
  const before = { url: webhook?.url ?? '', types: webhook?.activity_types ?? ['delivery.failed', 'job.failed'] };
  const [url, setUrl] = useState(before.url);
  const [types, setTypes] = useState<string[]>(before.types);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const title = webhook === null ? 'Add a webhook' : 'Edit the webhook';

  const submit = useSubmit(async () => {
    const parsed = WebhookInput.safeParse({
      url,
      activity_types: activityTypes.filter((type) => types.includes(type)),
    });
    if (!parsed.success) return setErrors(fieldErrors(parsed.error.issues));
    const saving =
      webhook === null ? create.mutateAsync(parsed.data) : update.mutateAsync({ id: webhook.id, ...parsed.data });
    const isSaved = await act<unknown>(saving, {
      done: webhook === null ? 'Webhook added' : 'Webhook saved',
      failed: 'Error saving the webhook',
      refused: (error) => {
        const wrong = error instanceof ApiError ? fieldErrors(error.fields) : {};
        if (wrong.url !== undefined) setErrors(wrong);
        return wrong.url !== undefined;
      },
    });
    if (isSaved) onClose();
  });

  return (
    <FormDialog
      title={title}
      opened={opened}
      width={560}
      isDirty={() => url !== before.url || [...types].toSorted().join() !== [...before.types].toSorted().join()}
      onClose={onClose}
    >
      {(leave) => (
        <form noValidate onSubmit={submit}>
          <Stack gap={16}>
            <TextInput
              label="URL"
              description="It must answer each event with a status from 200 to 299 within 15 seconds."
              placeholder="https://example.com/webhooks/cuebird"
              type="url"
              maxLength={2_000}
              value={url}
              error={errors.url}
              onChange={({ currentTarget }) => {
                setUrl(currentTarget.value);
                setErrors(({ url: _, ...others }) => others);
              }}
              data-autofocus
            />
            <Checkbox.Group
              label="Events"
              value={types}
              error={errors.activity_types}
              onChange={(chosen) => {
                setTypes(chosen);
                setErrors(({ activity_types: _, ...others }) => others);
              }}
            >
              <Stack gap={10} mt={6}>
                {activityTypes.map((type) => (
                  <Checkbox key={type} value={type} label={type} description={activityWords[type]} />
                ))}
              </Stack>
            </Checkbox.Group>
            <FormButtons onCancel={leave} isBusy={create.isPending || update.isPending}>
              {webhook === null ? 'Add webhook' : 'Save webhook'}
            </FormButtons>
          </Stack>
        </form>
      )}
    </FormDialog>
  );
}
