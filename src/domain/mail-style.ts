/** How the mails of a workspace look. */
export type MailStyle = {
  /** `#rrggbb`; null for none. */
  color: string | null;
  /** The sender's postal address, such as street and town; may be blank. */
  postalLine: string;
};

export const plainStyle: MailStyle = { color: null, postalLine: '' };

/** The settings as they are stored; null when unset. */
export type StoredMailStyle = { mail_color: string | null; postal_line: string | null };

/** The style from the settings; an invalid value counts as unset. */
export const mailStyleOf = ({ mail_color: color, postal_line: line }: StoredMailStyle): MailStyle => ({
  color: color !== null && /^#[\da-f]{6}$/i.test(color) ? color : null,
  postalLine: line?.trim() ?? '',
});
