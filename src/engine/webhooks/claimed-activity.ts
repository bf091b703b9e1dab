import type { SealedSigning } from '#platform/signing.ts';

/** An activity whose attempt has begun, with where it goes. `attempts` counts this one. */
export type ClaimedActivity = {
  id: string;
  workspace_id: string;
  webhook_id: string;
  body: string;
  attempts: number;
  unknowns: number;
  /** How many requests of Cuebird led to what it tells of. */
  hops: number;
  /** An ISO instant. */
  expires_at: string;
  url: string;
  signing: SealedSigning | null;
};
