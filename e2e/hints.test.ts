import { describe, expect, it } from 'vitest';
import { describeScreens } from './screens.fixture.ts';

describe.concurrent('a hint', () => {
  const fixture = describeScreens();

  it('shows an instant in the viewer’s own zone while the pointer rests on it, and goes with Escape', async () => {
    const page = await fixture.open('/jobs', { as: fixture.ann, workspace: fixture.full });
    const time = page.locator('tbody time').first();
    await time.hover();
    const bubble = page.getByRole('tooltip');
    await bubble.getByText(/2099.*\(.+\)/).waitFor();
    const [shown, window] = [await bubble.boundingBox(), page.viewportSize()];
    expect(shown!.x).toBeGreaterThanOrEqual(0);
    expect(shown!.x + shown!.width).toBeLessThanOrEqual(window!.width);
    await page.keyboard.press('Escape');
    await bubble.waitFor({ state: 'detached' });
  });

  it('names a button that has only an icon, when the keyboard comes to it', async () => {
    const page = await fixture.open('/reminders', { as: fixture.ann, workspace: fixture.full });
    await page.getByRole('button', { name: 'Test' }).first().focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page
      .getByRole('tooltip', { name: 'Schedule details' })
      .or(page.getByRole('tooltip').getByText('Schedule details'))
      .first()
      .waitFor();
  });
});
