import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const icon = readFileSync(new URL('../public/icon.svg', import.meta.url), 'utf8').trim();

/** What of the app the document shows before any of its code is here, as markup. */
export interface Prerendered {
  landing: string;
  /** Templates with the frame of the first screen. */
  frames: string;
}

/** Puts what is prerendered into the one document. */
export function landingPage(prerender: () => Promise<Prerendered>): Plugin {
  return {
    name: 'nolo-landing-page',
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        // Vite drops the attribute that keeps the first paint until boot.ts has chosen what to show.
        const { landing, frames } = await prerender();
        const page = html
          // As large as a question for it would be.
          .replace('href="/icon.svg"', () => `href="data:image/svg+xml,${encodeURIComponent(icon)}"`)
          .replace('<!--landing-->', () => landing)
          .replace('<!--frames-->', () => frames)
          .replace('<script type="module"', '<script type="module" blocking="render"');
        return page;
      },
    },
  };
}
