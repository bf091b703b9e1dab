import { useNavigate } from '@tanstack/react-router';
import type { Audience } from '#contract/audience.ts';

/** Opens the form of a new reminder to these people. */
export function useWriteTo() {
  const navigate = useNavigate();
  return (audience: Audience) => void navigate({ to: '/reminders/new', state: { audience } });
}
