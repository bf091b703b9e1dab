/** How the mails of a workspace look. */
export type MailStyle = {
  /** `#rrggbb`; null for none. */
  color: string | null;
  /** Where the sender is found, such as a street and a town; may be blank. */
  postalLine: string;
};

export const plainStyle: MailStyle = { color: null, postalLine: '' };

/** As in the workspace's settings; null when unset. */
export type StoredMailStyle = { mail_color: string | null; postal_line: string | null };

/** What cannot be read counts as never set. */
export const mailStyleOf = ({ mail_color: color, postal_line: line }: StoredMailStyle): MailStyle => ({
  color: color !== null && /^#[\da-f]{6}$/i.test(color) ? color : null,
  postalLine: line?.trim() ?? '',
});
