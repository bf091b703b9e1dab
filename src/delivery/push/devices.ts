/** A browser that has subscribed: where its push service takes messages, and the keys that only it can open them with. */
export type Device = { endpoint: string; keys: { p256dh: string; auth: string } };

/** The browsers of a workspace's members, kept by somebody who has a database. */
export type Devices = {
  of(workspaceId: string): Promise<readonly Device[]>;
  /** They have unsubscribed. */
  forget(workspaceId: string, endpoints: readonly string[]): Promise<void>;
};
