// Nolo's files import packages as services do: from the few bundled files. A package of a thousand files costs each
// test file half a second of CPU time.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { fileURLToPath } = require('node:url');

const folder = process.env.NOLO_TEST_DEPENDENCIES;
const files = folder ? JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) : {};

module.exports = (specifier, options) => {
  const url = Object.hasOwn(files, specifier) ? files[specifier] : undefined;
  const takes =
    url !== undefined && !options.basedir.includes('/node_modules/') && !options.conditions?.includes('browser');
  return takes ? fileURLToPath(url) : options.defaultResolver(specifier, options);
};
