import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { samplePicture } from '#testing/sample-picture.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('a plan with white-label', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let logo: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { BILLING: 'sandbox' } });
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm & Sons');
    const { json } = await dana.call('PUT', `/api/workspaces/${workspace}/picture`, {
      workspace,
      body: { picture: samplePicture.dataUrl },
    });
    logo = `${cuebird.url}/api/logos/${workspace}/${json.avatar_url.split('/').at(-1)}`;
  });
  afterAll(() => cuebird.stop());

  const setTier = (tier: string) =>
    cuebird.owner.query('update workspaces set subscription_tier = $2 where id = $1', [workspace, tier]);

  /** The mail that a new reminder sends at once. */
  async function mailTo(recipient: string): Promise<{ html: string; text: string }> {
    const made = await dana.call('POST', '/api/reminders', {
      workspace,
      body: {
        ...sampleReminder,
        status: 'active',
        schedule_config: {
          type: 'event-based',
          eventTrigger: 'custom_webhook',
          delayAmount: 0,
          delayUnit: 'minutes',
          timezone: 'UTC',
        },
        content: { ...sampleReminder.content, recipients: [recipient] },
        metadata: { ...sampleReminder.metadata, channels: ['email'] },
      },
    });
    expect(made.status).toBe(201);
    const url = (await dana.call('GET', `/api/reminders/${made.json.id}/hook`, { workspace })).json.url;
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    const read = async () =>
      (
        await cuebird.owner.query(
          'select body_html as html, body_text as text from sandbox_messages where workspace_id = $1 and recipient = $2',
          [workspace, recipient],
        )
      ).rows[0];
    await expect.poll(read).toBeDefined();
    return read();
  }

  const pageOf = async ({ text }: { text: string }) => {
    const token = /\/unsubscribe\/([\w-]+)/.exec(text)?.[1];
    return (await fetch(`${cuebird.url}/unsubscribe/${token}`)).text();
  };

  it('shows recipients the workspace’s own picture and name', async () => {
    await setTier('enterprise');
    const mail = await mailTo('ann@example.com');
    expect(mail.html).toContain(`<img src="${logo}" alt="" height="40"`);
    expect(mail.html).toContain('<strong>Elm &#38; Sons</strong>');
    expect(await pageOf(mail)).toContain(`<img src="${new URL(logo).pathname}" alt=""><strong>Elm &amp; Sons</strong>`);
    const picture = await fetch(logo);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    // A mail program in a browser shows it on its own site, and nothing runs where it is opened.
    expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(picture.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('is not there on a lower one, nor during the trial', async () => {
    await setTier('premium');
    const mail = await mailTo('bert@example.com');
    expect(mail.html).not.toContain('<img');
    expect(await pageOf(mail)).toContain('<img src="/favicon.svg" alt=""><strong>Cuebird</strong>');
    expect((await fetch(logo)).status).toBe(404);
  });

  it('shows no picture that was replaced, and none of a workspace that is suspended', async () => {
    await setTier('enterprise');
    expect((await fetch(logo.replace(/\w{64}$/, 'a'.repeat(64)))).status).toBe(404);
    await cuebird.owner.query('update workspaces set suspended_at = now() where id = $1', [workspace]);
    expect((await fetch(logo)).status).toBe(404);
  });
});
