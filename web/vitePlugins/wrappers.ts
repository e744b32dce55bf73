import type { Plugin } from 'vite';

/** What the bundler puts around a module in CommonJS, before names are shortened. */
const wrapper = /(__commonJS\w*\(\()\((exports(?:, module)?)\) => \{/g;

/**
 * A browser reads a whole function ahead, off its main thread, where it stands in brackets as if it were called at once. V8
 * does so with `function` alone, not with the arrows that the bundler puts around modules in CommonJS: all of React's was
 * read when it was first needed, with the page standing still meanwhile.
 */
export function eagerWrappers(): Plugin {
  let found = 0;
  return {
    name: 'nolo:eager-wrappers',
    apply: 'build',
    renderChunk(code) {
      // Nothing moves to another line, so that the map stays true but for a few letters.
      const eager = code.replace(wrapper, (_, call: string, names: string) => {
        found += 1;
        return `${call}function (${names}) {`;
      });
      return eager === code ? null : { code: eager, map: null };
    },
    generateBundle() {
      if (found === 0) this.error('No module in CommonJS was found: the bundler wraps them otherwise now.');
    },
  };
}
