import { describe, expect, it } from 'vitest';
import { ApiError } from '#web/api/client.ts';
import { authText, googleText, returnedError } from '#web/features/auth/auth-texts.ts';

const refusal = (code: string, message = 'Some words of the server') => new ApiError({ status: 400, code, message });

describe('a refused sign-in or sign-up', () => {
  it.each(['USER_ALREADY_EXISTS', 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL'])('%s sends people to sign in', (code) => {
    expect(authText(refusal(code))).toBe('An account with this email already exists. Please try signing in instead.');
  });

  it('does not reveal whether the email or the password was wrong', () => {
    expect(authText(refusal('INVALID_EMAIL_OR_PASSWORD'))).toBe(
      'Invalid email or password. Please check your credentials and try again.',
    );
  });

  it('asks to open the verification link first', () => {
    expect(authText(refusal('EMAIL_NOT_VERIFIED'))).toBe(
      'Please check your email and click the verification link before signing in.',
    );
  });

  it("shows every other refusal with the server's message", () => {
    expect(authText(refusal('TOO_MANY', 'Too many attempts. Wait a minute.'))).toBe(
      'Too many attempts. Wait a minute.',
    );
  });
});

describe('a failed Google sign-in', () => {
  const notConfigured = 'Google sign-in is not properly configured. Please try email/password sign-in instead.';

  it('says when Google sign-in is not configured', () => {
    expect(googleText(refusal('PROVIDER_NOT_FOUND'))).toBe(notConfigured);
    expect(googleText(refusal('other', 'OAuth client was not found'))).toBe(notConfigured);
    expect(googleText('oauth_provider_not_found')).toBe(notConfigured);
  });

  it('asks to try again after any other failure at Google', () => {
    expect(googleText('access_denied')).toBe('Google sign-in did not complete. Please try again.');
  });
});

describe('a link that leads back to the sign-in screen', () => {
  it('says that the account is suspended, whichever link it was', () => {
    expect(returnedError('ACCOUNT_SUSPENDED')).toEqual({
      title: 'Sign in failed',
      text: 'This account is suspended. Ask an administrator of this installation to lift the suspension.',
    });
    expect(returnedError('access_denied').title).toBe('Google Sign-in Error');
  });
});
