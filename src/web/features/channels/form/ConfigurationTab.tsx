import { Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '#web/api/config.ts';
import { CallbackAddress } from './CallbackAddress.tsx';
import classes from './ChannelForm.module.css';
import { ConfigurationField } from './ConfigurationField.tsx';
import { type FormField, fieldsOf, type Frame, hasProviders, missingFrom } from './draft.ts';
import { useChannelFormContext } from './form-context.ts';
import { incomplete } from './incomplete.ts';
import { SandboxAccount } from './SandboxAccount.tsx';

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
    <div className={classes.incomplete} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <div>
        <strong>{incomplete}</strong>
        <p>
          {named} {labels.length === 1 ? 'is' : 'are'} required.
        </p>
      </div>
    </div>
  );
}
