import { Group, Input, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconFlask } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { configQuery } from '#web/api/config.ts';
import { useSandboxAddresses } from '#web/api/inbox.ts';
import { Copyable } from '#web/ui/Copyable.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './ChannelForm.module.css';
import { ConfigurationField } from './ConfigurationField.tsx';
import { draftOf, fieldsOf, type FormField, type Frame, hasProviders, missingFrom, providerOf } from './draft.ts';
import { useChannelFormContext } from './form-context.ts';
import { incomplete } from './incomplete.ts';

/** The fields of the chosen type and provider. */
export function ConfigurationTab({ frame }: { frame: Frame }) {
  const { values, errors } = useChannelFormContext();
  const hasSandbox = useQuery(configQuery).data?.sandbox === true;
  const fields = fieldsOf(values, frame);
  const missing = missingFrom(values, frame).filter(({ name }) => errors[`configuration.${name}`] === incomplete);
  // The provider's fields are below the provider choice, so that the choice does not move.
  const choice = fields.slice(0, hasProviders(values, frame) ? 1 : 0);
  const asked = fields.slice(choice.length);
  const show = (field: FormField) => (
    <ConfigurationField key={`${values.type} ${field.name}`} field={field} frame={frame} />
  );
  return (
    <Stack gap={16}>
      {missing.length > 0 && <Incomplete labels={missing.map(({ label }) => label)} />}
      {choice.map(show)}
      {hasSandbox && <SandboxAccount frame={frame} />}
      {asked.map(show)}
      <CallbackAddress frame={frame} />
    </Stack>
  );
}

function Incomplete({ labels }: { labels: readonly string[] }) {
  const named = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(labels);
  return (
    <Group className={prose.remark} data-tone="bad" gap={8} align="flex-start" wrap="nowrap" role="alert">
      <IconAlertTriangle size={16} style={{ flex: 'none', marginTop: 2 }} aria-hidden />
      <div>
        <strong>{incomplete}</strong>
        <Text fz={13}>
          {named} {labels.length === 1 ? 'is' : 'are'} required.
        </Text>
      </div>
    </Group>
  );
}

/** The callback URL of a saved channel, to be entered in the provider's settings for delivery reports. */
function CallbackAddress({ frame }: { frame: Frame }) {
  const { values } = useChannelFormContext();
  const { channel } = frame;
  if (!channel?.callback_url || providerOf(values, frame) !== providerOf(draftOf(channel), frame)) return null;
  return (
    <Input.Wrapper
      label="Callback URL"
      labelElement="div"
      description={
        channel.type === 'email'
          ? 'For bounces: POST each mail that the return address receives to this URL, unchanged (message/rfc822)'
          : 'For the provider’s delivery reports and replies'
      }
    >
      <Copyable text={channel.callback_url} label="Copy the callback URL" />
    </Input.Wrapper>
  );
}

/** Fills in the workspace's sandbox account, where the sandbox emulates the chosen provider. */
function SandboxAccount({ frame }: { frame: Frame }) {
  const form = useChannelFormContext();
  const sandbox = useSandboxAddresses().data;
  const { type } = form.values;
  const provider = providerOf(form.values, frame)?.provider;
  const account =
    type === 'webhook' && sandbox
      ? { url: sandbox.webhook_url }
      : sandbox?.providers.find((played) => played.channel === type && played.provider === provider)?.configuration;
  if (account === undefined) return null;
  const fill = () => {
    form.setValues(({ configuration = {}, ...draft }) => ({
      ...draft,
      configuration: { ...configuration, ...account },
    }));
    form.clearErrors();
  };
  return (
    <div className={classes.sandbox}>
      <span>Messages to the sandbox appear in the Inbox.</span>
      <SmallButton icon={IconFlask} size="xs" variant="light" onClick={fill}>
        Fill in the sandbox
      </SmallButton>
    </div>
  );
}
