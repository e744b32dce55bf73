import type { Page } from 'playwright-core';

/** Lists how far the page or its parts overflow sideways. */
export async function findOverflow(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(`(() => {
    const sticking = [];
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width) sticking.push('the page: ' + document.documentElement.scrollWidth);
    for (const element of document.querySelectorAll('main, header, nav, aside, section, form, dialog, [role=dialog], [role=alertdialog], [role=menu], button, input, h1, h2, h3, p')) {
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      if (box.width === 0 || box.width <= 2 || style.visibility === 'hidden' || element.closest('[aria-hidden=true], .sr-only')) continue;
      if (box.right > width + 1 || box.left < -1) sticking.push(element.tagName + ' ' + (element.textContent || '').slice(0, 40) + ' ' + Math.round(box.left) + '..' + Math.round(box.right));
    }
    return sticking;
  })()`);
}
