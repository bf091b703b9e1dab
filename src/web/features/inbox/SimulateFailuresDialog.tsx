import { Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  magicAddresses,
  magicBounces,
  magicNumbers,
  magicSlackChannels,
  SimulatedFailure,
} from '#contract/simulated-failures.ts';
import { useSetSimulatedFailure } from '#web/api/inbox.ts';
import { act } from '#web/ui/act.ts';
import { Copyable } from '#web/ui/Copyable.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { NumberField } from '#web/ui/NumberField.tsx';
import { channelChoices } from '#web/ui/channel-choices.ts';
import { useSubmit } from '#web/ui/use-submit.ts';
import { SimulatedFailureList } from './SimulatedFailureList.tsx';
import {
  failureChoices,
  firstDraft,
  type SimulatedFailureDraft,
  simulatedFailureInWords,
  simulatedFailureOf,
} from './simulated-failure-text.ts';
import classes from './simulated-failure.module.css';
import prose from '#web/ui/prose.module.css';

/** The current failures, the form to add one, and the recipients that always fail. */
export function SimulateFailuresDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog title="Simulate failures" opened={opened} onClose={onClose} width={560}>
      <Stack gap={20}>
        <p className={prose.dimParagraph}>
          Simulate failures of providers, and see on the Jobs screen how Cuebird handles them.
        </p>
        <SimulatedFailureList />
        <SimulatedFailureForm />
        <MagicRecipients />
      </Stack>
    </Dialog>
  );
}

const groups = [
  { title: 'Phone numbers, for SMS and WhatsApp', recipients: magicNumbers },
  { title: 'Mail addresses', recipients: [...magicAddresses, ...magicBounces] },
  { title: 'Channels of a Slack bot', recipients: magicSlackChannels },
];

/** Recipients whose messages always fail, whether or not a failure is simulated. */
function MagicRecipients() {
  return (
    <details className={classes.magic}>
      <summary>Recipients that simulate failures</summary>
      {groups.map(({ title, recipients }) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul>
            {recipients.map(({ recipient, sentence }) => (
              <li key={recipient}>
                <Copyable text={recipient} label={`Copy ${recipient}`} />
                <span>{sentence}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <Text mt={12} c="dimmed">
        To simulate an HTTP status, add it to a webhook URL of the sandbox, such as <code>/status/503</code>.
      </Text>
    </details>
  );
}

const forms = [
  { value: 'seconds', label: 'Retry-After in seconds' },
  { value: 'date', label: 'Retry-After as a date' },
  { value: 'none', label: 'Without Retry-After' },
];
const statuses = [
  { value: '500', label: '500 Internal Server Error' },
  { value: '502', label: '502 Bad Gateway' },
  { value: '503', label: '503 Service Unavailable' },
  { value: '504', label: '504 Gateway Timeout' },
];
const durations = [
  { value: 'counted', label: 'The next messages' },
  { value: 'open', label: 'Until stopped' },
];

/** The channel that fails, the kind of failure, and how often. */
function SimulatedFailureForm() {
  const form = useForm<SimulatedFailureDraft>({ initialValues: firstDraft });
  const set = useSetSimulatedFailure();
  const draft = form.values;
  const submit = useSubmit(async () => {
    const parsed = SimulatedFailure.safeParse(simulatedFailureOf(draft));
    if (!parsed.success) return form.setErrors(errorsOf(parsed.error.issues.map(({ path }) => path.join('.'))));
    await act(set.mutateAsync(parsed.data), {
      done: (simulated) => ['Simulation started', simulatedFailureInWords(simulated)],
      failed: 'Error saving the simulated failure',
    });
  });
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={12}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={12}>
          <Select label="Channel" allowDeselect={false} data={channelChoices} {...form.getInputProps('channel')} />
          <Select label="Failure" allowDeselect={false} data={[...failureChoices]} {...form.getInputProps('kind')} />
        </SimpleGrid>
        <p className={prose.dimParagraph}>{failureChoices.find(({ value }) => value === draft.kind)?.sentence}</p>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={12}>
          {draft.kind === 'rate_limited' && (
            <Select label="Retry time" allowDeselect={false} data={forms} {...form.getInputProps('form')} />
          )}
          {draft.kind === 'rate_limited' && draft.form !== 'none' && (
            <NumberField label="Seconds" isWhole min={1} max={86_400} {...form.getInputProps('retryAfter')} />
          )}
          {draft.kind === 'unavailable' && (
            <Select label="Answer" allowDeselect={false} data={statuses} {...form.getInputProps('status')} />
          )}
          {draft.kind === 'slow' && (
            <NumberField label="Seconds" isWhole min={1} max={120} {...form.getInputProps('slowness')} />
          )}
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={12}>
          <Select
            label="For"
            allowDeselect={false}
            data={durations}
            value={draft.isCounted ? 'counted' : 'open'}
            onChange={(value) => form.setFieldValue('isCounted', value === 'counted')}
          />
          {draft.isCounted && (
            <NumberField label="Number of messages" isWhole min={1} max={10_000} {...form.getInputProps('times')} />
          )}
        </SimpleGrid>
        <Group justify="flex-end">
          <Button type="submit" loading={set.isPending}>
            Start simulating
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The fields of the form, by contract path. */
const fields = new Map([
  ['failure.retry_after.seconds', { field: 'retryAfter', sentence: 'A whole number from 1 to 86,400' }],
  ['failure.seconds', { field: 'slowness', sentence: 'A whole number from 1 to 120' }],
  ['times', { field: 'times', sentence: 'A whole number from 1 to 10,000' }],
]);

const errorsOf = (paths: readonly string[]) =>
  Object.fromEntries(
    paths.flatMap((path) => {
      const known = fields.get(path);
      return known ? [[known.field, known.sentence]] : [];
    }),
  );
