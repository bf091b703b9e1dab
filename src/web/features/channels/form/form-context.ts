import { createFormContext } from '@mantine/form';
import type { ChannelDraft } from './draft.ts';

export const [ChannelFormProvider, useChannelFormContext, useChannelForm] = createFormContext<ChannelDraft>();
