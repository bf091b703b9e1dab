import { webhookChannel } from '../seeds/workspace.ts';
import { engineContender } from './engine.ts';

export const contender = engineContender({
  title: 'the whole engine: daily reminders claimed, rendered, sent, ledger, execution and next occurrence recorded',
  channel: () => webhookChannel,
  recipient: (sinkUrl) => sinkUrl,
});
