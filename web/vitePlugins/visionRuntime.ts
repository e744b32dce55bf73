import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const name = 'virtual:visionRuntime';
const resolved = `\0${name}`;

/**
 * Provides the runtime of MediaPipe's vision tasks as a module. The package has it as a script that the library adds to
 * the page from a configurable server, which our policy forbids, and its list of exports hides it. The WebAssembly file
 * is emitted with the rest of the build, under a hashed name.
 */
export function visionRuntime(): Plugin {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@mediapipe/tasks-vision')), 'wasm');
  return {
    name: 'nolo-vision-runtime',
    enforce: 'pre',
    resolveId: (id) => (id === name ? resolved : undefined),
    async load(id) {
      if (id !== resolved) return undefined;
      const script = await readFile(join(folder, 'vision_wasm_internal.js'), 'utf8');
      const end = script.lastIndexOf("if (typeof exports === 'object'");
      if (end === -1) throw new Error('The runtime of @mediapipe/tasks-vision no longer ends as expected.');
      // Imports from Node, about which bundlers complain, are behind a condition that is never true in browsers.
      const forBrowsers = script.slice(0, end).replaceAll(/\brequire\("\w+"\)/g, 'undefined');
      const program = JSON.stringify(`${join(folder, 'vision_wasm_internal.wasm')}?url`);
      return `import wasmAddress from ${program};\n${forBrowsers}\nexport { ModuleFactory as default, wasmAddress };\n`;
    },
  };
}
