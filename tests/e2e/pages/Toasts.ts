import type { Locator, Page } from 'playwright-core';
import { waitUntilStill, waitUntilHidden, waitUntilVisible } from '../support/waitFor.ts';
import { en } from '../support/words.ts';

/** Runs in the page. Lists the elements that a toast covers but must not. */
const findCovered = `(() => {
  const toast = document.querySelector('ol > li[data-swipe-direction]').getBoundingClientRect();
  const probe = document.body.appendChild(document.createElement('div'));
  const colours = ['--nolo-accent', '--nolo-danger'].map((name) => {
    probe.style.background = 'var(' + name + ')';
    return getComputedStyle(probe).backgroundColor;
  });
  probe.remove();
  const isMain = (button) => colours.includes(getComputedStyle(button).backgroundColor);
  return [
    ...document.querySelectorAll('textarea'),
    ...[...document.querySelectorAll('[role="feed"] article')].slice(-1),
    ...[...document.querySelectorAll('button, a')].filter(isMain),
  ]
    .filter((element) => {
      const { left, right, top, bottom, width } = element.getBoundingClientRect();
      return width > 0 && left < toast.right && right > toast.left && top < toast.bottom && bottom > toast.top;
    })
    .map((element) => element.textContent || element.tagName);
})()`;

/** Drives the place where the app shows what happened, one thing at a time. */
export class Toasts {
  readonly region: Locator;
  /** Toasts that are visible now. */
  readonly shown: Locator;

  constructor(page: Page) {
    const [name = ''] = en.toast.region.split(' (');
    // A dialog removes everything around it from the accessibility tree, but not from view.
    this.region = page.getByRole('region', { name, includeHidden: true });
    this.shown = this.region.locator('li');
  }

  async expectShown(title: string, description?: string): Promise<void> {
    await waitUntilVisible(this.shown.getByText(title, { exact: true }));
    if (description !== undefined) await waitUntilVisible(this.shown.getByText(description, { exact: true }));
    expect(await this.shown.count()).toBe(1);
  }

  /**
   * Lists what the toast covers of the active text field, the newest message, and the buttons in the color of the main
   * action or of danger.
   */
  async covers(): Promise<string[]> {
    await waitUntilVisible(this.shown);
    await waitUntilStill(this.shown.page());
    return this.shown.page().evaluate(findCovered);
  }

  async dismiss(): Promise<void> {
    await this.shown.getByRole('button', { name: en.common.dismiss, includeHidden: true }).click();
    await waitUntilHidden(this.shown);
  }
}
