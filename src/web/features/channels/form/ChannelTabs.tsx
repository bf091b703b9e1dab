import { FormTabs } from '#web/ui/FormTabs.tsx';
import { BasicTab } from './BasicTab.tsx';
import { ConfigurationTab } from './ConfigurationTab.tsx';
import type { Frame } from './draft.ts';
import { useChannelFormContext } from './form-context.ts';

export function ChannelTabs({ frame, refusals }: { frame: Frame; refusals: number }) {
  const { errors } = useChannelFormContext();
  return (
    <FormTabs
      label="Parts of the channel"
      tabs={[
        { id: 'basic', label: 'Basic Settings', panel: <BasicTab frame={frame} /> },
        { id: 'configuration', label: 'Configuration', panel: <ConfigurationTab frame={frame} /> },
      ]}
      errors={errors}
      tabOf={(path) => (path.startsWith('configuration') ? 'configuration' : 'basic')}
      refusals={refusals}
    />
  );
}
