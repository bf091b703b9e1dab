/** What an API key may do: `send` messages and report events, `read`, and `manage`, which is to change everything else. */
export const scopes = ['send', 'read', 'manage'] as const;
export type Scope = (typeof scopes)[number];
