/** A subscribed browser: the endpoint at its push service, and the keys that encrypt messages to it. */
export type Device = { endpoint: string; keys: { p256dh: string; auth: string } };

/** The subscribed browsers of a workspace's members, from an implementation with a database. */
export type PushDevices = {
  /** @param memberId limits the result to the browsers of this member */
  of(workspaceId: string, memberId?: string): Promise<readonly Device[]>;
  /** Removes browsers that have unsubscribed. */
  forget(workspaceId: string, endpoints: readonly string[]): Promise<void>;
  /** Notes that these browsers were just sent a message. */
  markUsed(workspaceId: string, endpoints: readonly string[]): Promise<void>;
};
