/** A browser that takes push messages: the endpoint at its push service, and the keys that encrypt messages to it. */
export type Device = { endpoint: string; keys: { p256dh: string; auth: string } };

/** The browsers of a workspace's members, read from the database. */
export type PushDevices = {
  /** @param memberId limits the result to the browsers of this member */
  of(workspaceId: string, memberId?: string): Promise<readonly Device[]>;
  /** Removes browsers that their push service no longer knows. */
  forget(workspaceId: string, endpoints: readonly string[]): Promise<void>;
  /** Records that these browsers were just sent a message. */
  markUsed(workspaceId: string, endpoints: readonly string[]): Promise<void>;
};
