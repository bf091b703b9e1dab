import { peoplePerReminder, writeDueToPeople } from '../seeds/people.ts';
import { relayChannel } from '../seeds/workspace.ts';
import { engineWith } from './engine.ts';

export const contender = engineWith({
  title: 'the whole engine: reminders to a tag that 1,000 contacts have',
  channel: relayChannel,
  write: (owner, { workspaceId, n }) => writeDueToPeople(owner, { workspaceId, n, by: 'audience' }),
  perJob: peoplePerReminder,
});
