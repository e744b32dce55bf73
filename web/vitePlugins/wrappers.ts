import type { Plugin } from 'vite';

/** Wrapper that the bundler puts around a CommonJS module, before names are shortened. */
const wrapper = /(__commonJS\w*\(\()\((exports(?:, module)?)\) => \{/g;

/**
 * Makes browsers compile CommonJS modules ahead of time. A browser compiles a whole function early, off its main
 * thread, if it is parenthesized like an immediate call. V8 does so only for `function`, not for the bundler's arrow
 * functions around CommonJS modules. All of React was compiled at first use, blocking the page.
 */
export function createEagerWrapperPlugin(): Plugin {
  let found = 0;
  return {
    name: 'nolo:eager-wrappers',
    apply: 'build',
    renderChunk(code) {
      // Line numbers do not change, so the source map stays correct except for a few characters.
      const eager = code.replace(wrapper, (_, call: string, names: string) => {
        found += 1;
        return `${call}function (${names}) {`;
      });
      return eager === code ? null : { code: eager, map: null };
    },
    generateBundle() {
      if (found === 0) this.error('No CommonJS module was found: the bundler now wraps them differently.');
    },
  };
}
