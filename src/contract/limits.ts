/** How often an action is allowed, independent of plans. A person is counted across all their workspaces. */
export type UsageLimit = { per: 'person' | 'workspace'; most: number; seconds: number };

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The limits by usage, far above any real use; docs/operations.md lists the same numbers. */
export const usageLimits = {
  /** Workspaces that somebody creates. */
  workspaces: [{ per: 'person', most: 30, seconds: day }],
  /** Invitations, each of which sends a mail. */
  invitations: [
    { per: 'person', most: 60, seconds: hour },
    { per: 'person', most: 200, seconds: day },
    { per: 'workspace', most: 300, seconds: day },
  ],
  /** Pictures that somebody uploads, of themselves or of a workspace. */
  pictures: [{ per: 'person', most: 60, seconds: hour }],
  /** Changes of one's own profile: a new name is an entry in the audit log of each workspace of the person. */
  profiles: [{ per: 'person', most: 120, seconds: hour }],
  /** Files of an audit log; each is an entry in it. */
  audit_exports: [{ per: 'person', most: 60, seconds: hour }],
  /** Requests of calendars that read a feed. */
  calendars: [{ per: 'workspace', most: 600, seconds: hour }],
  /** Calendars that people have read, to try, add or change them. */
  calendar_reads: [
    { per: 'person', most: 120, seconds: hour },
    { per: 'workspace', most: 240, seconds: hour },
  ],
  /** Downloads of a person's own data. */
  downloads: [{ per: 'person', most: 20, seconds: hour }],
  /** Exports of a workspace, each of which reads all of it. */
  exports: [{ per: 'workspace', most: 60, seconds: hour }],
  /** Changes of address, each of which sends two mails. */
  address_changes: [{ per: 'person', most: 10, seconds: hour }],
  /** Recipients of reminder and channel tests, which may use the installation's own mail server. */
  tests: [
    { per: 'person', most: 100, seconds: minute },
    { per: 'person', most: 1_000, seconds: day },
    { per: 'workspace', most: 200, seconds: minute },
    { per: 'workspace', most: 2_000, seconds: day },
  ],
  /** Addresses that reports are mailed to. */
  report_mails: [
    { per: 'person', most: 50, seconds: hour },
    { per: 'person', most: 200, seconds: day },
    { per: 'workspace', most: 250, seconds: day },
  ],
  /** Calls that send activities of webhooks again. */
  replay_calls: [{ per: 'workspace', most: 60, seconds: minute }],
  /** Activities of webhooks that are sent again: all that are kept of one webhook, once an hour. */
  replays: [{ per: 'workspace', most: 2_000, seconds: hour }],
  /** Errors of screens and scripts that a browser reports; each is a line of the log. */
  client_errors: [{ per: 'person', most: 60, seconds: hour }],
  /** Files of contacts or of a workspace, for a preview or an import. */
  imports: [
    { per: 'person', most: 100, seconds: hour },
    { per: 'workspace', most: 200, seconds: hour },
  ],
  /** Requests that save up to 1,000 contacts each. */
  batches: [
    { per: 'person', most: 600, seconds: hour },
    { per: 'workspace', most: 1_200, seconds: hour },
  ],
  /** Events reported by the API, by a hook or by a person. */
  events: [{ per: 'workspace', most: 600, seconds: minute }],
  /** Messages that are sent or scheduled from a template, by the API. */
  sends: [{ per: 'workspace', most: 600, seconds: minute }],
  /** Template previews. */
  previews: [
    { per: 'person', most: 240, seconds: minute },
    { per: 'workspace', most: 600, seconds: minute },
  ],
  /** Calls of the payment provider. */
  billing: [
    { per: 'person', most: 60, seconds: hour },
    { per: 'workspace', most: 200, seconds: hour },
  ],
  /** Questions about all contacts: whom a reminder reaches, how many people an audience or a group has. */
  counts: [
    { per: 'person', most: 240, seconds: minute },
    { per: 'workspace', most: 600, seconds: minute },
  ],
} as const satisfies Record<string, readonly UsageLimit[]>;

export type Usage = keyof typeof usageLimits;

/** The action that a refusal names, for each usage. */
export const usageSentences: Record<Usage, string> = {
  workspaces: 'Too many workspaces were created.',
  invitations: 'Too many invitations were sent.',
  pictures: 'Too many pictures were sent.',
  profiles: 'Your profile was changed too often.',
  audit_exports: 'The audit log was exported too often.',
  calendars: 'Calendars of this workspace were read too often.',
  calendar_reads: 'Calendars were read too often.',
  downloads: 'Your data was downloaded too often.',
  exports: 'The workspace was exported too often.',
  address_changes: 'Your address was changed too often.',
  tests: 'Too many test messages were sent.',
  report_mails: 'Too many reports were mailed.',
  replay_calls: 'Activities were sent again too often.',
  replays: 'Too many activities were sent again.',
  client_errors: 'Too many errors were reported.',
  imports: 'Too many files were read.',
  batches: 'Contacts were saved too often.',
  events: 'Too many events came at once.',
  sends: 'Too many messages were sent at once.',
  previews: 'Too many previews were requested.',
  billing: 'The payment provider was asked too often.',
  counts: 'People were counted too often.',
};

/** The number of workspaces that one person may own. */
export const maxOwnedWorkspaces = 200;

/** The number of members that one workspace may have. */
export const maxMembers = 1_000;

/** The number of invitations of one workspace that are not accepted. */
export const maxInvitations = 100;
