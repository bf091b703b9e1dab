import { mailChannel, mailRecipient } from '../mail.ts';
import { engineContender } from './engine.ts';

export const contender = engineContender({
  title: 'the whole engine over SMTP, its pool of 5 connections; ledger, execution and next occurrence recorded',
  channel: mailChannel,
  recipient: () => mailRecipient,
});
