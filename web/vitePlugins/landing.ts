import type { HtmlTagDescriptor, Plugin } from 'vite';

/** What of the app the document shows before any of its code is here, as markup. */
export interface Prerendered {
  landing: string;
  /** Templates with the frame of the first screen. */
  frames: string;
}

/**
 * Puts what is prerendered into the one document, and asks for its font early, under the hashed name the build gave it.
 */
export function landingPage(prerender: () => Promise<Prerendered>): Plugin {
  return {
    name: 'nolo-landing-page',
    transformIndexHtml: {
      order: 'post',
      async handler(html, context) {
        // Vite drops the attribute that keeps the first paint until boot.ts has chosen what to show.
        const { landing, frames } = await prerender();
        const page = html
          .replace('<!--landing-->', () => landing)
          .replace('<!--frames-->', () => frames)
          .replace('<script type="module"', '<script type="module" blocking="render"');
        const font = Object.keys(context.bundle ?? {}).find((name) => /inter-latin-wght.*\.woff2$/.test(name));
        const tags: HtmlTagDescriptor[] =
          font === undefined
            ? []
            : [
                {
                  tag: 'link',
                  attrs: { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' },
                  injectTo: 'head-prepend',
                },
              ];
        return { html: page, tags };
      },
    },
  };
}
