import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { password } from './person.ts';
import { breakDown, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

async function newWorkspace(): Promise<{ dana: TestPerson; workspace: string; name: string }> {
  const dana = await fixture.signUp('Dana Owens');
  const name = `Oak Lane ${randomUUID().slice(0, 8)}`;
  return { dana, name, workspace: await dana.createWorkspace(name) };
}

async function invite({ dana, workspace }: { dana: TestPerson; workspace: string }, email: string): Promise<string> {
  const { json } = await dana.call('POST', `/api/workspaces/${workspace}/invitations`, { workspace, body: { email } });
  return new URL(json.link).pathname;
}

describe.concurrent('invitations', () => {
  it('are sent, sent again and revoked on the Members tab', async ({ expect }) => {
    const { dana, workspace, name } = await newWorkspace();
    const members = `/admin/workspace/${workspace}/manage?tab=members`;
    const page = await fixture.open(members, { as: dana, workspace });
    await reads(page, ['Nobody is invited. An invitation goes to an address, and works for 7 days.']);
    await expectGood(page, [390, 1440]);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Invite to ${name}` });
    await dialog.getByLabel('Email').fill('nobody');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await reads(page, ['Enter an email address']);
    const email = `${randomUUID()}@example.com`;
    await dialog.getByLabel('Email').fill(email);
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await dialog.getByText(`The invitation was mailed to ${email}.`).waitFor();
    const link = await dialog.locator('code').innerText();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('list', { name: 'Invitations' }).getByRole('listitem');
    await expect.poll(() => row.count()).toBe(1);
    await row.getByText(/As a member, invited by Dana Owens\. Expires/).waitFor();
    await expectGood(page, [390, 1440]);

    await page.getByRole('button', { name: `Send again to ${email}` }).click();
    const again = page.getByRole('dialog', { name: 'Send the invitation again?' });
    await again.getByRole('button', { name: 'Send again' }).click();
    await again.getByText(`The invitation was mailed to ${email}.`).waitFor();
    await expect.poll(() => again.locator('code').innerText()).not.toBe(link);
    await again.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: `Revoke ${email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click();
    await toast(page, { title: 'Invitation revoked', text: `The link of ${email} no longer works.` });
    await expect.poll(() => row.count()).toBe(0);
    await fixture.leave(page);

    const failing = await fixture.open(members, {
      as: dana,
      workspace,
      before: (opened) => breakDown(opened, `/api/workspaces/${workspace}/invitations`),
    });
    await reads(failing, ['Error loading invitations', outage]);
  });

  it('lead a stranger into the workspace by one step: the sign-up, with the address filled in', async ({ expect }) => {
    const team = await newWorkspace();
    const email = `nora.${randomUUID()}@example.com`;
    const page = await fixture.open(await invite(team, email));
    await heading(page, `Join ${team.name}?`);
    await page.getByText('Dana Owens invites you to the workspace').waitFor();
    await page.getByRole('tab', { name: 'Sign Up', selected: true }).waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(email);
    await expectGood(page, [390, 1440]);
    await page.getByLabel('Full name').fill('Nora Field');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
    await toast(page, { title: 'Invitation accepted', text: `Now working in ${team.name}` });
    await heading(page, 'Dashboard');
    await page.getByRole('button', { name: `Workspace: ${team.name}` }).waitFor();
    // It is not asked for again.
    await page.goto(new URL('/reminders', page.url()).href);
    await heading(page, 'Reminders');
  });

  it('are accepted by signing in, where there is an account already', async () => {
    const team = await newWorkspace();
    const erin = await fixture.signUp('Erin Adams');
    const page = await fixture.open(await invite(team, erin.email));
    await page.getByRole('tab', { name: 'Sign In' }).click();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await toast(page, { title: 'Invitation accepted', text: `Now working in ${team.name}` });
    await page.getByRole('button', { name: `Workspace: ${team.name}` }).waitFor();
  });

  it('are accepted by nobody who only opens a link while signed in', async () => {
    const team = await newWorkspace();
    const erin = await fixture.signUp('Erin Adams');
    const page = await fixture.open(await invite(team, erin.email), { as: erin });
    await page.getByRole('button', { name: 'Accept' }).waitFor();
  });

  it('lead somebody with an account into the workspace, which becomes the current one', async () => {
    const team = await newWorkspace();
    const erin = await fixture.signUp('Erin Adams');
    const own = await erin.createWorkspace('My own');
    const link = await invite(team, erin.email);
    const page = await fixture.open(link, { as: erin, workspace: own });
    await page.getByRole('button', { name: 'Accept' }).click();
    await toast(page, { title: 'Invitation accepted', text: `Now working in ${team.name}` });
    await page.getByRole('button', { name: `Workspace: ${team.name}` }).waitFor();
    await fixture.leave(page);

    const again = await fixture.open(link, { as: erin });
    await heading(again, `You are in ${team.name}`);
    await expectGood(again, [390, 1440]);
    await again.getByRole('button', { name: 'Open the workspace' }).click();
    await again.getByRole('button', { name: `Workspace: ${team.name}` }).waitFor();
    await fixture.leave(again);

    const signedOut = await fixture.open(link);
    await heading(signedOut, 'This invitation does not work');
    await signedOut.getByRole('button', { name: 'Go to sign-in' }).click();
    await signedOut.getByLabel('Email').fill(erin.email);
    await signedOut.getByLabel('Password', { exact: true }).fill(password);
    await signedOut.getByRole('button', { name: 'Sign In', exact: true }).click();
    await signedOut.getByRole('button', { name: `Workspace: ${team.name}` }).waitFor();
  });

  it('tell somebody with another address that they are not meant', async () => {
    const team = await newWorkspace();
    const erin = await fixture.signUp('Erin Adams');
    const page = await fixture.open(await invite(team, `${randomUUID()}@example.com`), { as: erin });
    await page.getByRole('button', { name: 'Accept' }).click();
    await reads(page, [
      `This invitation is for another address than ${erin.email}. Sign in with the address that was invited.`,
    ]);
    await expectGood(page, [390, 1440]);
    await page.getByRole('button', { name: 'Sign out, and use another address' }).click();
    await page.getByRole('tab', { name: 'Sign In' }).waitFor();
  });

  it('are declined without an account, and say when a link no longer works, or could not be read', async () => {
    const team = await newWorkspace();
    const link = await invite(team, `${randomUUID()}@example.com`);
    const page = await fixture.open(link, {
      before: (opened) => breakDown(opened, `/api${link.replace('invitation', 'invitations')}`),
    });
    await reads(page, ['Error loading the invitation', outage]);
    await restore(page);
    await page.getByRole('button', { name: 'Retry' }).click();
    await heading(page, `Join ${team.name}?`);
    await page.getByRole('button', { name: 'Decline' }).click();
    await heading(page, 'You declined');
    await page.reload();
    await heading(page, 'This invitation does not work');
    await expectGood(page, [390, 1440]);
  });
});
