// The pages to which account mails lead. `url` is the address at which the person opens Cuebird.

/** The page that asks for a link to set a new password, for people who are not signed in. */
export const forgotPasswordPage = (url: string): string => `${url}/auth/forgot-password`;

export const resetPasswordPage = (url: string, token: string): string => `${url}/auth/reset-password?token=${token}`;

export const verifyEmailPage = (url: string, token: string): string => `${url}/auth/verify-email?token=${token}`;

export const confirmEmailPage = (url: string, token: string): string => `${url}/auth/confirm-email?token=${token}`;
