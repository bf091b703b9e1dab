import { Button } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useSandboxAddresses } from '#web/api/inbox.ts';
import classes from './ChannelForm.module.css';
import { type Frame, providerOf } from './draft.ts';
import { useChannelFormContext } from './form-context.ts';

/** Fills in the workspace's sandbox account, where the sandbox emulates the chosen provider. */
export function SandboxAccount({ frame }: { frame: Frame }) {
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
      <Button size="xs" variant="light" leftSection={<IconFlask size={14} aria-hidden />} onClick={fill}>
        Fill in the sandbox
      </Button>
    </div>
  );
}
