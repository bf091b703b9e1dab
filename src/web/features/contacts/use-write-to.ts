import { useNavigate } from '@tanstack/react-router';
import { matchKey } from '#contract/audience.ts';
import type { HandedPeople } from '#web/features/reminders/form/handed-people.ts';

/** Opens the form of a message to these people. Its draft is theirs: other people get one of their own. */
export function useWriteTo() {
  const navigate = useNavigate();
  return (people: HandedPeople) =>
    void navigate({ to: '/reminders/new', search: { message: messageIdOf(people) }, state: { people } });
}

/** The same for the same people, however they were chosen. Two choices share one by chance only, and a draft never brings its people along. */
export function messageIdOf({ audience = {}, recipients = [] }: HandedPeople): string {
  const { everyone, groups = [], tags = [], contacts = [] } = audience;
  const named = [groups.toSorted(), tags.map(matchKey).sort(), contacts.toSorted(), recipients.toSorted()];
  const text = JSON.stringify([everyone === true, ...named]);
  // FNV-1a, twice with other beginnings: 64 bits.
  const half = (start: number) => {
    let hash = start;
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
    return (hash >>> 0).toString(36);
  };
  return `${half(0x81_1c_9d_c5)}${half(0x12_34_56_78)}`;
}
