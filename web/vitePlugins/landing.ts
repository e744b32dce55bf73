import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const icon = readFileSync(new URL('../public/icon.svg', import.meta.url), 'utf8').trim();

/** Markup of the app that the document shows before any code loads. */
export interface PrerenderedMarkup {
  landing: string;
  /** Templates with the frames of the first screens. */
  frames: string;
}

/** Inserts the prerendered markup into the single document. */
export function landingPage(prerender: () => Promise<PrerenderedMarkup>): Plugin {
  return {
    name: 'nolo-landing-page',
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        // Vite drops the attribute that delays the first paint until boot.ts has chosen what to show.
        const { landing, frames } = await prerender();
        const page = html
          // Inlined, because a request for it would be as large.
          .replace('href="/icon.svg"', () => `href="data:image/svg+xml,${encodeURIComponent(icon)}"`)
          .replace('<!--landing-->', () => landing)
          .replace('<!--frames-->', () => frames)
          .replace('<script type="module"', '<script type="module" blocking="render"');
        return page;
      },
    },
  };
}
