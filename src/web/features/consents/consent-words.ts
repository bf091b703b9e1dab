import type { ConsentChannel } from '#contract/consent-channels.ts';
import type { Consent, ConsentMethod, NoteMethod } from '#contract/consents.ts';
import type { ContactDetails } from '#contract/contact-details.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';

const said: Record<Consent['kind'], string> = {
  given: 'Consents',
  withdrawn: 'Wants no more',
  lifted: 'Taken off the suppression list',
};

/** `Consents to messages by SMS`, `Wants no more messages about Events by email`. */
export function saidText({ kind, covers, channel, topic_name: topic }: Consent): string {
  const of =
    covers === 'everything'
      ? 'messages'
      : covers === 'optional'
        ? 'optional messages'
        : `messages about ${topic ?? 'a topic'}`;
  const by = `by ${channelLooks[channel].name}`;
  return kind === 'given'
    ? `${said.given} to ${of} ${by}`
    : kind === 'lifted'
      ? `${said.lifted}: ${of} ${by}`
      : `${said.withdrawn} ${of} ${by}`;
}

/** What a required consent means for them: `No consent to SMS is on record: nothing is sent to them by SMS.` */
export function stateText(channel: ConsentChannel, state: ContactDetails['consents'][number]['state']): string {
  const { name } = channelLooks[channel];
  switch (state) {
    case 'given':
      return `Has agreed to ${name}.`;
    case 'some':
      return `Has agreed to ${name} for some topics only.`;
    case 'lacking':
      return `No consent to ${name} is on record: nothing is sent to them by ${name}.`;
    default:
      return state satisfies never;
  }
}

const methods: Record<ConsentMethod, string> = {
  import: 'imported',
  api: 'told by a program',
  reply: 'by an answer to a message',
  link: 'by the link in a message',
  page: 'by a link that they asked for',
  member: 'noted by a member',
};

export const noteMethodWords: Record<NoteMethod, string> = {
  phone: 'by phone',
  writing: 'in writing',
  in_person: 'in person',
};

/** `noted by Mo, told by phone`, `by the link in a message`. */
export function howText({ method, by, source: { how, narrowed_to: to } }: Consent): string {
  const whom =
    by.kind === 'recipient' || by.name === null
      ? methods[method]
      : method === 'member'
        ? `noted by ${by.name}`
        : `${methods[method]}, ${by.name}`;
  return [whom, how !== undefined && `told ${noteMethodWords[how]}`, to !== undefined && `now only ${to}`]
    .filter(Boolean)
    .join(', ');
}

/** From where it was said: a page, the address of a request. */
export const whereText = ({ source: { form, client_address: own }, client_address: address }: Consent): string =>
  [form, own ?? address].filter((part) => part !== undefined && part !== null && part !== '').join(', ');
