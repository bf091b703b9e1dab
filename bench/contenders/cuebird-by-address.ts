import { peoplePerReminder, writeDueToPeople } from '../seeds/people.ts';
import { relayChannel } from '../seeds/workspace.ts';
import { engineWith } from './engine.ts';

export const contender = engineWith({
  title: 'the whole engine: reminders that list the addresses of 1,000 contacts each',
  channel: relayChannel,
  write: (owner, { workspaceId, n }) => writeDueToPeople(owner, { workspaceId, n, by: 'address' }),
  perJob: peoplePerReminder,
});
