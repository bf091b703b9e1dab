import { useNavigate } from '@tanstack/react-router';
import { type Audience, matchKey } from '#contract/audience.ts';

/** Opens the form of a message to these people. Its draft is theirs: other people get one of their own. */
export function useWriteTo() {
  const navigate = useNavigate();
  return (audience: Audience) =>
    void navigate({ to: '/reminders/new', search: { message: messageIdOf(audience) }, state: { audience } });
}

/** The same for the same people, however they were chosen. Two audiences share one by chance only, and a draft never brings its people along. */
export function messageIdOf({ everyone, groups = [], tags = [], contacts = [] }: Audience): string {
  const text = JSON.stringify([everyone === true, groups.toSorted(), tags.map(matchKey).sort(), contacts.toSorted()]);
  // FNV-1a, twice with other beginnings: 64 bits.
  const half = (start: number) => {
    let hash = start;
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
    return (hash >>> 0).toString(36);
  };
  return `${half(0x81_1c_9d_c5)}${half(0x12_34_56_78)}`;
}
